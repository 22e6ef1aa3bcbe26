import account from './zh/account.json'
import action from './zh/action.json'
import component from './zh/component.json'
import failure from './zh/failure.json'
import form from './zh/form.json'
import layout from './zh/layout.json'
import login from './zh/login.json'
import page from './zh/page.json'
import palette from './zh/palette.json'
import screen from './zh/screen.json'
import table from './zh/table.json'

/** Texts of the layout and of the account pages, such as login. The other texts load with the first other page. */
export const zhFirstTexts = { account, action, component, failure, form, layout, login, page, palette, screen, table }
