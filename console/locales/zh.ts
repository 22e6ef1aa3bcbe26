import audit from './zh/audit.json'
import channel from './zh/channel.json'
import channelForm from './zh/channelForm.json'
import chat from './zh/chat.json'
import chatLink from './zh/chatLink.json'
import content from './zh/content.json'
import dashboard from './zh/dashboard.json'
import drawing from './zh/drawing.json'
import group from './zh/group.json'
import limit from './zh/limit.json'
import log from './zh/log.json'
import notify from './zh/notify.json'
import personal from './zh/personal.json'
import playground from './zh/playground.json'
import pricing from './zh/pricing.json'
import redemption from './zh/redemption.json'
import request from './zh/request.json'
import start from './zh/start.json'
import task from './zh/task.json'
import team from './zh/team.json'
import token from './zh/token.json'
import user from './zh/user.json'
import wallet from './zh/wallet.json'
import { zhFirstTexts } from './zh-first.ts'
import type { zhSettingsTexts } from './zh-settings.ts'

/** All texts except those in `zh-settings.ts`. */
export const zh = {
  ...zhFirstTexts,
  audit,
  channel,
  channelForm,
  chat,
  chatLink,
  content,
  dashboard,
  drawing,
  group,
  limit,
  log,
  notify,
  personal,
  playground,
  pricing,
  redemption,
  request,
  start,
  task,
  team,
  token,
  user,
  wallet,
}

/** The texts of the console. Every language has exactly these keys. */
export type Catalogue = typeof zh & typeof zhSettingsTexts
