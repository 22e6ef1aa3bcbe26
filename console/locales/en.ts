import { account } from './en/account.ts'
import { action } from './en/action.ts'
import { audit } from './en/audit.ts'
import { channel } from './en/channel.ts'
import { channelForm } from './en/channelForm.ts'
import { chat } from './en/chat.ts'
import { chatLink } from './en/chatLink.ts'
import { component } from './en/component.ts'
import { content } from './en/content.ts'
import { dashboard } from './en/dashboard.ts'
import { drawing } from './en/drawing.ts'
import { failure } from './en/failure.ts'
import { form } from './en/form.ts'
import { group } from './en/group.ts'
import { layout } from './en/layout.ts'
import { limit } from './en/limit.ts'
import { log } from './en/log.ts'
import { login } from './en/login.ts'
import { notify } from './en/notify.ts'
import { page } from './en/page.ts'
import { palette } from './en/palette.ts'
import { personal } from './en/personal.ts'
import { playground } from './en/playground.ts'
import { pricing } from './en/pricing.ts'
import { redemption } from './en/redemption.ts'
import { request } from './en/request.ts'
import { screen } from './en/screen.ts'
import { start } from './en/start.ts'
import { table } from './en/table.ts'
import { task } from './en/task.ts'
import { team } from './en/team.ts'
import { token } from './en/token.ts'
import { user } from './en/user.ts'
import { wallet } from './en/wallet.ts'
import type { settings } from './en-settings.ts'
import type { Catalogue } from './zh.ts'

export const en: Omit<Catalogue, keyof typeof settings> = {
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
  table,
  task,
  team,
  token,
  user,
  wallet,
}
