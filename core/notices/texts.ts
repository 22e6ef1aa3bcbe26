import { type QuotaDisplay, quotaText } from '../logs/texts.ts'
import type { Language } from '../messages/language.ts'
import { type CoreTextId, textIn } from '../messages/texts.ts'
import type { MessageValues } from '../messages/translate.ts'
import type { StoredNotice } from './notice.ts'

export interface NoticeText {
  /** Title in one line. */
  readonly title: string
  /** Details. May be empty. */
  readonly body: string
}

type Data = StoredNotice['data']
/** Returns the text of a notice. The types in `data` are unknown, because another version may have written it. */
type Write = (data: Data, words: Words) => NoticeText

/** Functions for the texts of one language. */
interface Words {
  t(id: CoreTextId, values?: MessageValues): string
  money(quota: unknown): string
}

const LINES_MAX = 20

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Returns whether a key belongs to a team. The usernames of teams start with @. */
const isOfTeam = (username: unknown): boolean => text(username).startsWith('@')

interface NamedChannel {
  id?: unknown
  name?: unknown
  key?: unknown
  reason?: unknown
}

function channelText(change: 'disabled' | 'enabled' | 'paused'): Write {
  return ({ channels, count }, { t }) => {
    const named = ({ id, name, key }: NamedChannel) =>
      t(key ? `notice.key-${change}` : `notice.channel-${change}`, { id: text(id), name: text(name), key: text(key) })
    const changed: NamedChannel[] = Array.isArray(channels) ? channels : []
    const [only] = changed
    if (only && number(count) <= 1) return { title: named(only), body: text(only.reason) }
    const lines = changed.slice(0, LINES_MAX).map((channel) => {
      const what = named(channel)
      return channel.reason ? t('notice.because', { what, reason: text(channel.reason) }) : what
    })
    return { title: t(`notice.channels-${change}`, { number: number(count) }), body: lines.join('\n') }
  }
}

const EVENTS: Readonly<Record<string, Write>> = {
  'channel.disabled': channelText('disabled'),
  'channel.enabled': channelText('enabled'),
  'circuit.opened': channelText('paused'),
  'job.failed': ({ job, reason }, { t }) => ({ title: t('notice.job-failed', { job: text(job) }), body: text(reason) }),
  'ledger.mismatch': ({ count }, { t }) => ({
    title: t('notice.ledger-mismatch', { number: number(count) }),
    body: t('notice.ledger-mismatch-body'),
  }),
  'balance.reached': ({ username, percent, quota }, { t, money }) => ({
    title: t('notice.balance-reached', { username: text(username), percent: number(percent) }),
    body: t('notice.left', { amount: money(quota) }),
  }),
  'budget.reached': ({ name, username, percent, quota, period }, { t, money }) => {
    const values = { name: text(name), username: text(username), percent: number(percent) }
    const whose = isOfTeam(username) ? 'team-budget' : 'budget'
    const title = period
      ? t(`notice.${whose}-reached-period`, { ...values, period: periodText(text(period), t) })
      : t(`notice.${whose}-reached`, values)
    return { title, body: t('notice.left', { amount: money(quota) }) }
  },
  'payment.completed': ({ username, quota, trade_no, money: paid }, { t, money }) => ({
    title: t('notice.payment-completed', { username: text(username), paid: text(paid) }),
    body: t('notice.payment-completed-body', { amount: money(quota), order: text(trade_no) }),
  }),
  'sign-in.new': ({ username, address }, { t }) => ({
    title: t('notice.sign-in-new', { username: text(username) }),
    body: t('notice.sign-in-new-body', { address: text(address) }),
  }),
  test: ({ name }, { t }) => ({ title: t('notice.test'), body: t('notice.test-body', { name: text(name) }) }),
}

const PERIODS = ['hour', 'day', 'week', 'month'] as const

function periodText(name: string, t: Words['t']): string {
  const match = PERIODS.find((period) => period === name)
  return match === undefined ? name : t(`limit.${match}`)
}

/** Returns the text of a notice in one language, or the name and subject of an event that is unknown here. */
export function noticeText(
  { event, subject, data }: Pick<StoredNotice, 'event' | 'subject' | 'data'>,
  { language, display }: { language: Language; display: QuotaDisplay },
): NoticeText {
  const write = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined
  if (!write) return { title: `${event}: ${subject}`, body: '' }
  return write(data, {
    t: (id, values) => textIn(language, id, values),
    money: (quota) => quotaText(number(quota), display, language),
  })
}
