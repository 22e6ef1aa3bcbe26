import type { Catalogue } from '../texts.ts'
import { general } from './zh/general.ts'
import { redemption } from './zh/redemption.ts'
import { token } from './zh/token.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = {
  ...general,
  ...redemption,
  ...token,
}
