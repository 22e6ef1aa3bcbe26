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
import { log } from './en/log.ts'
import { login } from './en/login.ts'
import { operation } from './en/operation.ts'
import { option } from './en/option.ts'
import { page } from './en/page.ts'
import { palette } from './en/palette.ts'
import { personal } from './en/personal.ts'
import { playground } from './en/playground.ts'
import { pricing } from './en/pricing.ts'
import { redemption } from './en/redemption.ts'
import { screen } from './en/screen.ts'
import { system } from './en/system.ts'
import { table } from './en/table.ts'
import { task } from './en/task.ts'
import { token } from './en/token.ts'
import { user } from './en/user.ts'
import { wallet } from './en/wallet.ts'
import type { Catalogue } from './zh.ts'

export const en: Catalogue = {
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
  log,
  login,
  operation,
  option,
  page,
  palette,
  personal,
  playground,
  pricing,
  redemption,
  screen,
  system,
  table,
  task,
  token,
  user,
  wallet,
}
