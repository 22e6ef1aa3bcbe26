import operation from './zh/operation.json'
import option from './zh/option.json'
import system from './zh/system.json'

/** Texts of the settings, a quarter of all texts, which load with the settings and the command palette. */
export const zhSettingsTexts = { operation, option, system }
