import { OPTIONS, publicAddress } from '../options/registry.ts'
import type { Option } from '../options/rows.ts'
import { type Secrets, sameSecret } from '../secrets.ts'

const SIGNATURE_LENGTH = 32

/** A drawing of a user, by its upstream's id. Two upstreams may use the same id for drawings of different users. */
interface Owned {
  user_id: number
  mj_id: string
}

export interface PictureLinks {
  /**
   * Returns the URL of a drawing's image, or '' if there is no image yet. While `MjForwardUrlEnabled` is on, it is a signed link
   * to this gateway that needs no other permission. Otherwise it is the upstream's URL.
   */
  addressOf(drawing: Owned & { image_url: string }): string
  /** Returns whether the signature of a link is that of the drawing. */
  isSigned(drawing: Owned, signature: string): boolean
}

/** Creates signed links. A signature needs the master key, so that knowing an upstream's id is not enough to see an image. */
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
