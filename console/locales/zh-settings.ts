import operation from './zh/operation.json'
import option from './zh/option.json'
import system from './zh/system.json'

/** Texts of the settings, a quarter of all texts. They load with the settings, and with the command palette, which searches them. */
export const zhSettingsTexts = { operation, option, system }
