import operation from './zh/operation.json'
import option from './zh/option.json'
import system from './zh/system.json'

/** A third of all texts. These texts load with the settings, and with the command palette, which searches them. */
export const zhSettingsTexts = { operation, option, system }
