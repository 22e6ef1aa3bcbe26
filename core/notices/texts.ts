import { type QuotaDisplay, quotaText } from '../logs/texts.ts'
import type { Language } from '../messages/language.ts'
import type { StoredNotice } from './notice.ts'

export interface NoticeText {
  /** One line. */
  readonly title: string
  /** Details; may be empty. */
  readonly body: string
}

type Data = StoredNotice['data']
type Words = (data: Data, money: (quota: unknown) => string) => NoticeText

const LINES_MAX = 20
const PERIODS_ZH: Readonly<Record<string, string>> = { hour: '小时', day: '天', week: '周', month: '月' }

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Whether a key is a team's, whose name tells it from keys of other teams. */
const isOfTeam = (username: unknown): boolean => text(username).startsWith('@')

interface NamedChannel {
  id?: unknown
  name?: unknown
  key?: unknown
  reason?: unknown
}
const channelsOf = ({ channels }: Data): NamedChannel[] => (Array.isArray(channels) ? channels : [])

function channelWords(language: Language, done: string): Words {
  const colon = language === 'zh' ? '：' : ': '
  const named = ({ id, name, key }: NamedChannel): string => {
    if (language === 'zh') return `渠道「${text(name)}」（#${text(id)}）${key ? `的密钥 ${text(key)} ` : ''}`
    return `${key ? `Key ${text(key)} of channel` : 'Channel'} ${text(name)} (#${text(id)})`
  }
  const line = (channel: NamedChannel) =>
    named(channel) + (language === 'zh' ? '' : ' ') + done + (channel.reason ? colon + text(channel.reason) : '')
  return (data) => {
    const channels = channelsOf(data)
    const [only] = channels
    const count = number(data.count)
    if (only && count <= 1) {
      return { title: named(only) + (language === 'zh' ? '' : ' ') + done, body: text(only.reason) }
    }
    const title = language === 'zh' ? `${count} 个渠道${done}` : `${count} channels ${done.replace('was', 'were')}`
    return { title, body: channels.slice(0, LINES_MAX).map(line).join('\n') }
  }
}

const EVENT_WORDS: Record<string, Record<Language, Words>> = {
  'channel.disabled': { en: channelWords('en', 'was disabled'), zh: channelWords('zh', '已被禁用') },
  'channel.enabled': { en: channelWords('en', 'was enabled'), zh: channelWords('zh', '已被启用') },
  'circuit.opened': { en: channelWords('en', 'was paused: its circuit opened'), zh: channelWords('zh', '已熔断') },
  'job.failed': {
    en: ({ job, reason }) => ({ title: `Job ${text(job)} failed`, body: text(reason) }),
    zh: ({ job, reason }) => ({ title: `任务 ${text(job)} 失败`, body: text(reason) }),
  },
  'ledger.mismatch': {
    en: ({ count }) => ({
      title: `The ledger differs from the balances of ${number(count)} users`,
      body: 'See: tollgate ledger verify',
    }),
    zh: ({ count }) => ({
      title: `账本与 ${number(count)} 个用户的余额不一致`,
      body: '请运行：tollgate ledger verify',
    }),
  },
  'balance.reached': {
    en: ({ username, percent, quota }, money) => ({
      title: `${number(percent)}% of the balance of ${text(username)} is used`,
      body: `Left: ${money(quota)}`,
    }),
    zh: ({ username, percent, quota }, money) => ({
      title: `用户 ${text(username)} 的余额已使用 ${number(percent)}%`,
      body: `剩余：${money(quota)}`,
    }),
  },
  'budget.reached': {
    en: ({ name, username, percent, quota, period }, money) => ({
      title: `${number(percent)}% of the budget of ${text(name)}${isOfTeam(username) ? ` (${text(username)})` : ''}${period ? ` per ${text(period)}` : ''} is used`,
      body: `Left: ${money(quota)}`,
    }),
    zh: ({ name, username, percent, quota, period }, money) => ({
      title: `${text(name)}${isOfTeam(username) ? `（${text(username)}）` : ' '}的${period ? `每${PERIODS_ZH[text(period)] ?? text(period)}` : ''}预算已使用 ${number(percent)}%`,
      body: `剩余：${money(quota)}`,
    }),
  },
  'payment.completed': {
    en: ({ username, quota, trade_no, money: paid }, money) => ({
      title: `Payment of ${text(username)}: ${text(paid)}`,
      body: `Credited: ${money(quota)}\nOrder: ${text(trade_no)}`,
    }),
    zh: ({ username, quota, trade_no, money: paid }, money) => ({
      title: `用户 ${text(username)} 支付成功：${text(paid)}`,
      body: `到账：${money(quota)}\n订单：${text(trade_no)}`,
    }),
  },
  'sign-in.new': {
    en: ({ username, address }) => ({
      title: `New sign-in of ${text(username)}`,
      body: `From ${text(address)}, with a device and an address that were not seen before. If it was not you, change the password.`,
    }),
    zh: ({ username, address }) => ({
      title: `用户 ${text(username)} 的新登录`,
      body: `来自 ${text(address)}，此前未见过该设备与地址。如果不是本人操作，请修改密码。`,
    }),
  },
  test: {
    en: ({ name }) => ({ title: 'Test notice', body: `Notices reach ${text(name)}.` }),
    zh: ({ name }) => ({ title: '测试通知', body: `通知可以送达 ${text(name)}。` }),
  },
}

/** Formats a notice in one language. For an unknown event of another version, returns its name. */
export function noticeText(
  { event, subject, data }: Pick<StoredNotice, 'event' | 'subject' | 'data'>,
  { language, display }: { language: Language; display: QuotaDisplay },
): NoticeText {
  const words = EVENT_WORDS[event]?.[language]
  if (!words) return { title: `${event}: ${subject}`, body: '' }
  return words(data, (quota) => quotaText(number(quota), display, language))
}
