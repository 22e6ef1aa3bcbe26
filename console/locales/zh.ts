import { account } from './zh/account.ts'
import { action } from './zh/action.ts'
import { audit } from './zh/audit.ts'
import { channel } from './zh/channel.ts'
import { channelForm } from './zh/channelForm.ts'
import { chat } from './zh/chat.ts'
import { chatLink } from './zh/chatLink.ts'
import { component } from './zh/component.ts'
import { content } from './zh/content.ts'
import { dashboard } from './zh/dashboard.ts'
import { drawing } from './zh/drawing.ts'
import { failure } from './zh/failure.ts'
import { form } from './zh/form.ts'
import { group } from './zh/group.ts'
import { layout } from './zh/layout.ts'
import { limit } from './zh/limit.ts'
import { log } from './zh/log.ts'
import { login } from './zh/login.ts'
import { notify } from './zh/notify.ts'
import { page } from './zh/page.ts'
import { palette } from './zh/palette.ts'
import { personal } from './zh/personal.ts'
import { playground } from './zh/playground.ts'
import { pricing } from './zh/pricing.ts'
import { redemption } from './zh/redemption.ts'
import { request } from './zh/request.ts'
import { screen } from './zh/screen.ts'
import { start } from './zh/start.ts'
import { system } from './zh/system.ts'
import { table } from './zh/table.ts'
import { task } from './zh/task.ts'
import { team } from './zh/team.ts'
import { token } from './zh/token.ts'
import { user } from './zh/user.ts'
import { wallet } from './zh/wallet.ts'
import type { settings } from './zh-settings.ts'

/** All but what `zh-settings.ts` has. */
export const zh = {
  account,
  action,
  audit,
  channel,
  channelForm,
  chat,
  chatLink,
  component,
  content,
  dashboard,
  drawing,
  failure,
  form,
  group,
  layout,
  limit,
  log,
  login,
  notify,
  page,
  palette,
  personal,
  playground,
  pricing,
  redemption,
  request,
  screen,
  start,
  system,
  table,
  task,
  team,
  token,
  user,
  wallet,
}

/** The texts of the console: every language has exactly these keys. */
export type Catalogue = typeof zh & typeof settings
