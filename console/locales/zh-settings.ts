import { operation } from './zh/operation.ts'
import { option } from './zh/option.ts'
import { system } from './zh/system.ts'

/** A third of all texts: they are loaded with the settings, and with the palette that searches them. */
export const settings = { operation, option, system }
