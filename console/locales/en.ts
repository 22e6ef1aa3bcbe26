import account from './en/account.json'
import action from './en/action.json'
import audit from './en/audit.json'
import channel from './en/channel.json'
import channelForm from './en/channelForm.json'
import chat from './en/chat.json'
import chatLink from './en/chatLink.json'
import component from './en/component.json'
import content from './en/content.json'
import dashboard from './en/dashboard.json'
import drawing from './en/drawing.json'
import failure from './en/failure.json'
import form from './en/form.json'
import group from './en/group.json'
import layout from './en/layout.json'
import limit from './en/limit.json'
import log from './en/log.json'
import login from './en/login.json'
import notify from './en/notify.json'
import page from './en/page.json'
import palette from './en/palette.json'
import personal from './en/personal.json'
import playground from './en/playground.json'
import pricing from './en/pricing.json'
import redemption from './en/redemption.json'
import request from './en/request.json'
import screen from './en/screen.json'
import start from './en/start.json'
import table from './en/table.json'
import task from './en/task.json'
import team from './en/team.json'
import token from './en/token.json'
import user from './en/user.json'
import wallet from './en/wallet.json'
import type { enSettingsTexts } from './en-settings.ts'
import type { Catalogue } from './zh.ts'

export const en: Omit<Catalogue, keyof typeof enSettingsTexts> = {
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
