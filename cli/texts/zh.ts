import type { Catalogue } from '../texts.ts'
import { general } from './zh/general.ts'
import { ui } from './zh/ui.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = { ...general, ...ui }
