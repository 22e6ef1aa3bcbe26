import { OPTIONS, publicAddress } from '../options/registry.ts'

type Settings = Parameters<typeof publicAddress>[0]

/**
 * Where programs and browsers find a drawing's picture: at this gateway while `MjForwardUrlEnabled` is on, else where the
 * upstream has it. '' where there is none yet.
 */
export function pictureAddress(options: Settings, { mj_id, image_url }: { mj_id: string; image_url: string }): string {
  if (image_url === '' || mj_id === '' || !options.get(OPTIONS.MjForwardUrlEnabled)) return image_url
  return `${publicAddress(options)}/mj/image/${encodeURIComponent(mj_id)}`
}
