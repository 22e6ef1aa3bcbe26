import type { Catalogue } from '../texts.ts'
import { general } from './zh/general.ts'

/** Chinese, a file for each noun. */
export const zh: Catalogue = { ...general }
