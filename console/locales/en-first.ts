import { account } from './en/account.ts'
import { action } from './en/action.ts'
import { component } from './en/component.ts'
import { failure } from './en/failure.ts'
import { form } from './en/form.ts'
import { layout } from './en/layout.ts'
import { login } from './en/login.ts'
import { page } from './en/page.ts'
import { palette } from './en/palette.ts'
import { screen } from './en/screen.ts'
import { table } from './en/table.ts'

/** Texts of the pages before a login. The rest is loaded with the first other page. */
export const first = { account, action, component, failure, form, layout, login, page, palette, screen, table }
