import { OPTIONS, publicAddress } from '../options/registry.ts'
import type { Option } from '../options/rows.ts'
import { type Secrets, sameSecret } from '../secrets.ts'

const SIGNATURE_LENGTH = 32

/** A drawing of one user, by its upstream's id. Two upstreams may use the same id for drawings of two users. */
interface Owned {
  user_id: number
  mj_id: string
}

export interface PictureLinks {
  /**
   * Returns the URL of a drawing's image: while `MjForwardUrlEnabled` is on, a link to this gateway that needs no other
   * permission; otherwise the upstream's URL. '' if there is none yet.
   */
  addressOf(drawing: Owned & { image_url: string }): string
  /** Whether a link with this signature was made for the drawing. */
  isSigned(drawing: Owned, signature: string): boolean
}

/** Ids of upstreams can be guessed: only the holder of the master key can sign a link. */
export function createPictureLinks({
  secrets,
  options,
}: {
  secrets: Pick<Secrets, 'digest'>
  options: { get<T>(option: Option<T>): T }
}): PictureLinks {
  const signatureOf = ({ user_id, mj_id }: Owned) =>
    secrets.digest(`picture\n${user_id}\n${mj_id}`).slice(0, SIGNATURE_LENGTH)
  return {
    addressOf(drawing) {
      const { mj_id, image_url } = drawing
      if (image_url === '' || mj_id === '' || !options.get(OPTIONS.MjForwardUrlEnabled)) return image_url
      return `${publicAddress(options)}/mj/image/${encodeURIComponent(mj_id)}?signature=${signatureOf(drawing)}`
    },
    isSigned: (drawing, signature) => sameSecret(signatureOf(drawing), signature),
  }
}
