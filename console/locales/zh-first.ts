import { account } from './zh/account.ts'
import { action } from './zh/action.ts'
import { component } from './zh/component.ts'
import { failure } from './zh/failure.ts'
import { form } from './zh/form.ts'
import { layout } from './zh/layout.ts'
import { login } from './zh/login.ts'
import { page } from './zh/page.ts'
import { palette } from './zh/palette.ts'
import { screen } from './zh/screen.ts'
import { table } from './zh/table.ts'

/** Texts of the pages before a login. The rest is loaded with the first other page. */
export const first = { account, action, component, failure, form, layout, login, page, palette, screen, table }
