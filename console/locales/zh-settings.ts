import operation from './zh/operation.json'
import option from './zh/option.json'
import system from './zh/system.json'

/** A third of all texts: they are loaded with the settings, and with the palette that searches them. */
export const settings = { operation, option, system }
