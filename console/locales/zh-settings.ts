/*
 * Texts of the settings, a quarter of all texts, which load with the settings and the command palette.
 */

export { default as operation } from './zh/operation.json'
export { default as option } from './zh/option.json'
export { default as system } from './zh/system.json'
