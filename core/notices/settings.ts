import { GatewayError } from '../errors.ts'
import { requireText } from '../input.ts'
import { isMailAddress } from '../mail/address.ts'
import { keysOf } from '../records.ts'
import type { Secrets } from '../secrets.ts'
import type { NoticeKind } from './notice.ts'
import type { NoticeSettings } from './schema.ts'

export const TELEGRAM_SERVER = 'https://api.telegram.org'
export const BARK_SERVER = 'https://api.day.app'

type SettingName = keyof NoticeSettings

/** The required and optional settings of each kind of target. */
const SETTINGS: Record<NoticeKind, { required: readonly SettingName[]; optional: readonly SettingName[] }> = {
  webhook: { required: ['url', 'secret'], optional: [] },
  mail: { required: [], optional: ['address'] },
  telegram: { required: ['bot_token', 'chat_id'], optional: ['base_url'] },
  feishu: { required: ['url'], optional: ['secret'] },
  bark: { required: ['device_key'], optional: ['base_url'] },
  slack: { required: ['url'], optional: [] },
}

const LENGTH_MAX = 2000
/** Minimum length of a webhook's secret, which is an HMAC key. */
const SECRET_LENGTH_MIN = 16
/** A bot token. It becomes a part of the URL: https://core.telegram.org/bots/api#authorizing-your-bot */
const BOT_TOKEN = /^\d{1,20}:[\w-]{1,200}$/

/**
 * Returns the validated settings of a target. `gateway` states whether it is a target of the gateway. Throws
 * FIELD_REQUIRED, FIELD_LENGTH, EMAIL_INVALID, NOTICE_SETTING, NOTICE_URL, NOTICE_BOT_TOKEN, NOTICE_MAIL_ADDRESS.
 */
export function checkNoticeSettings(
  kind: NoticeKind,
  settings: NoticeSettings,
  { gateway }: { gateway: boolean },
): NoticeSettings {
  const { required, optional } = SETTINGS[kind]
  const checked: NoticeSettings = {}
  for (const name of keysOf(settings)) {
    const value = settings[name]
    if (value === undefined || value === '') continue
    if (![...required, ...optional].includes(name)) throw new GatewayError('NOTICE_SETTING', { kind, field: name })
    checked[name] = checkValue(name, kind, value)
  }
  if (kind === 'mail' && gateway) requireText('address', checked.address ?? '', { min: 1, max: LENGTH_MAX })
  // A user's mail goes to the address of the account, because users must not be able to send mails to other addresses.
  if (kind === 'mail' && !gateway && checked.address !== undefined) throw new GatewayError('NOTICE_MAIL_ADDRESS')
  for (const name of required) requireText(name, checked[name] ?? '', { min: 1, max: LENGTH_MAX })
  return checked
}

function checkValue(name: SettingName, kind: NoticeKind, value: string): string {
  const isWebhookSecret = name === 'secret' && kind === 'webhook'
  const text = requireText(name, value, { min: isWebhookSecret ? SECRET_LENGTH_MIN : 0, max: LENGTH_MAX })
  if (name === 'url' || name === 'base_url') checkUrl(name, text)
  if (name === 'address' && !isMailAddress(text)) throw new GatewayError('EMAIL_INVALID')
  if (name === 'bot_token' && !BOT_TOKEN.test(text)) throw new GatewayError('NOTICE_BOT_TOKEN')
  return text
}

/** Throws NOTICE_URL for an invalid URL. The error omits the URL, because it may contain a secret. */
function checkUrl(field: SettingName, text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (!url || !isWeb || url.username !== '' || url.password !== '') throw new GatewayError('NOTICE_URL', { field })
}

/** Returns the address of a target for display. Omits the paths of URLs, which contain secrets. */
export function shownAddress(kind: NoticeKind, settings: NoticeSettings): string {
  const { url = '', address = '', chat_id = '', base_url } = settings
  if (kind === 'mail') return address
  if (kind === 'telegram') return base_url === undefined ? chat_id : `${chat_id} (${hostIn(base_url)})`
  return hostIn(kind === 'bark' ? (base_url ?? BARK_SERVER) : url)
}

function hostIn(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}

/** Decrypts the stored settings of a target. */
export function openSettings(secrets: Pick<Secrets, 'open'>, sealed: string): NoticeSettings {
  const settings: NoticeSettings = JSON.parse(secrets.open(sealed))
  return settings
}
