import { OPTIONS, publicAddress } from '../options/registry.ts'
import type { Option } from '../options/rows.ts'
import { type Secrets, sameSecret } from '../secrets.ts'

const SIGNATURE_LENGTH = 32

/** Identifies a drawing. Includes the user, because upstreams may use one id for drawings of different users. */
interface DrawingId {
  user_id: number
  mj_id: string
}

export type PictureLinks = ReturnType<typeof createPictureLinks>

/** Creates signed links. A signature needs the master key, so the upstream id alone opens no image. */
export function createPictureLinks(parts: {
  secrets: Pick<Secrets, 'digest'>
  options: { get<T>(option: Option<T>): T }
}) {
  const { secrets, options } = parts
  const signatureOf = ({ user_id, mj_id }: DrawingId) =>
    secrets.digest(`picture\n${user_id}\n${mj_id}`).slice(0, SIGNATURE_LENGTH)
  return {
    /**
     * Returns the URL of a drawing's image, or '' if there is no image yet. While `MjForwardUrlEnabled` is on, this is
     * a signed link to the gateway, which works without a key. Otherwise it is the upstream's URL.
     */
    addressOf(drawing: DrawingId & { image_url: string }): string {
      const { mj_id, image_url } = drawing
      if (image_url === '' || mj_id === '' || !options.get(OPTIONS.MjForwardUrlEnabled)) return image_url
      return `${publicAddress(options)}/mj/image/${encodeURIComponent(mj_id)}?signature=${signatureOf(drawing)}`
    },
    /** Returns whether `signature` is the signature of the drawing's link. */
    isSigned: (drawing: DrawingId, signature: string): boolean => sameSecret(signatureOf(drawing), signature),
  }
}
