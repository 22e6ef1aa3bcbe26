/*
 * Texts of the layout and of the account pages, such as login. The other texts load with the first other page.
 */

export { default as account } from './zh/account.json'
export { default as action } from './zh/action.json'
export { default as component } from './zh/component.json'
export { default as failure } from './zh/failure.json'
export { default as form } from './zh/form.json'
export { default as layout } from './zh/layout.json'
export { default as login } from './zh/login.json'
export { default as page } from './zh/page.json'
export { default as palette } from './zh/palette.json'
export { default as screen } from './zh/screen.json'
export { default as table } from './zh/table.json'
