import account from './en/account.json'
import action from './en/action.json'
import component from './en/component.json'
import failure from './en/failure.json'
import form from './en/form.json'
import layout from './en/layout.json'
import login from './en/login.json'
import page from './en/page.json'
import palette from './en/palette.json'
import screen from './en/screen.json'
import table from './en/table.json'

/** Texts of the layout and of the account pages, such as login. The other texts load with the first other page. */
export const enFirstTexts = { account, action, component, failure, form, layout, login, page, palette, screen, table }
