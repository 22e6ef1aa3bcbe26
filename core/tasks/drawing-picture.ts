import { OPTIONS, publicAddress } from '../options/registry.ts'
import type { Option } from '../options/rows.ts'
import { type Secrets, sameSecret } from '../secrets.ts'

const SIGNATURE_LENGTH = 32

/** A drawing of one user, by its upstream's name for it. Two upstreams may have one name for drawings of two users. */
interface Owned {
  user_id: number
  mj_id: string
}

export interface PictureLinks {
  /**
   * Returns where programs and browsers find a drawing's picture: at this gateway while `MjForwardUrlEnabled` is on, by a link
   * that is its own permission; else where the upstream has it. '' where there is none yet.
   */
  addressOf(drawing: Owned & { image_url: string }): string
  /** Whether a link with this signature was made for the drawing. */
  isSigned(drawing: Owned, signature: string): boolean
}

/** Ids of upstreams can be guessed: a link has a signature that only the holder of the master key can make. */
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
