import account from './zh/account.json'
import action from './zh/action.json'
import audit from './zh/audit.json'
import channel from './zh/channel.json'
import channelForm from './zh/channelForm.json'
import chat from './zh/chat.json'
import chatLink from './zh/chatLink.json'
import component from './zh/component.json'
import content from './zh/content.json'
import dashboard from './zh/dashboard.json'
import drawing from './zh/drawing.json'
import failure from './zh/failure.json'
import form from './zh/form.json'
import group from './zh/group.json'
import layout from './zh/layout.json'
import limit from './zh/limit.json'
import log from './zh/log.json'
import login from './zh/login.json'
import notify from './zh/notify.json'
import page from './zh/page.json'
import palette from './zh/palette.json'
import personal from './zh/personal.json'
import playground from './zh/playground.json'
import pricing from './zh/pricing.json'
import redemption from './zh/redemption.json'
import request from './zh/request.json'
import screen from './zh/screen.json'
import start from './zh/start.json'
import system from './zh/system.json'
import table from './zh/table.json'
import task from './zh/task.json'
import team from './zh/team.json'
import token from './zh/token.json'
import user from './zh/user.json'
import wallet from './zh/wallet.json'
import type { zhSettingsTexts } from './zh-settings.ts'

/** All texts except those in `zh-settings.ts`. */
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

/** The texts of the console. Every language has exactly these keys. */
export type Catalogue = typeof zh & typeof zhSettingsTexts
