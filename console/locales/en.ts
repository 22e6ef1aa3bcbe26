import audit from './en/audit.json'
import channel from './en/channel.json'
import channelForm from './en/channelForm.json'
import chat from './en/chat.json'
import chatLink from './en/chatLink.json'
import content from './en/content.json'
import dashboard from './en/dashboard.json'
import drawing from './en/drawing.json'
import group from './en/group.json'
import limit from './en/limit.json'
import log from './en/log.json'
import notify from './en/notify.json'
import personal from './en/personal.json'
import playground from './en/playground.json'
import pricing from './en/pricing.json'
import redemption from './en/redemption.json'
import request from './en/request.json'
import start from './en/start.json'
import task from './en/task.json'
import team from './en/team.json'
import token from './en/token.json'
import user from './en/user.json'
import wallet from './en/wallet.json'
import { enFirstTexts } from './en-first.ts'
import type { enSettingsTexts } from './en-settings.ts'
import type { Catalogue } from './zh.ts'

export const en: Omit<Catalogue, keyof typeof enSettingsTexts> = {
  ...enFirstTexts,
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
