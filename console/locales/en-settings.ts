export { default as operation } from './en/operation.json'
export { default as option } from './en/option.json'
export { default as system } from './en/system.json'
