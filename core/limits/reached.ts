import { GatewayError } from '../errors.ts'
import type { QuotaDisplay } from '../logs/texts.ts'
import type { LimitNews } from '../mail/letters.ts'
import type { Language } from '../messages/language.ts'
import type { Counter } from './counter.ts'
import type { CountedLimit, LimitMeasure, LimitPeriod, LimitSubject } from './limit.ts'

const SUBJECTS: Readonly<Record<LimitSubject, { en: string; zh: string }>> = {
  token: { en: 'API key', zh: '令牌' },
  user: { en: 'user', zh: '用户' },
  group: { en: 'group', zh: '分组' },
  model: { en: 'model', zh: '模型' },
  address: { en: 'address', zh: '地址' },
  channel: { en: 'channel', zh: '渠道' },
  'channel-key': { en: 'channel key', zh: '渠道密钥' },
  member: { en: 'team member', zh: '团队成员' },
}
const MEASURES: Readonly<Record<LimitMeasure, { en: string; zh: string }>> = {
  requests: { en: 'requests', zh: '次请求' },
  tokens: { en: 'tokens', zh: '个 token' },
  quota: { en: 'quota', zh: '额度' },
  concurrent: { en: 'concurrent requests', zh: '个并发请求' },
}
const PERIODS: Readonly<Record<Exclude<LimitPeriod, 'none'>, { en: string; zh: string }>> = {
  second: { en: 'second', zh: '秒' },
  minute: { en: 'minute', zh: '分钟' },
  hour: { en: 'hour', zh: '小时' },
  day: { en: 'day', zh: '天' },
  week: { en: 'week', zh: '周' },
  month: { en: 'month', zh: '月' },
}
/** Retry-After for a concurrency limit, which any ending request may free, in seconds. */
const CONCURRENT_S = 1

/** Returns LIMIT_REACHED with the limit, its subject, and the time of its reset. `nowMs` is of the database's clock. */
export function limitReached(
  { limit, subjectId, availableAt }: Counter,
  { nowMs, display }: { nowMs: number; display: QuotaDisplay },
): GatewayError {
  const seconds = limit.period === 'none' ? CONCURRENT_S : Math.max(1, Math.ceil((availableAt - nowMs) / 1000))
  const period = limit.period === 'none' ? undefined : PERIODS[limit.period]
  const { en, zh } = amountOf(limit, display)
  return new GatewayError('LIMIT_REACHED', {
    limit: limit.id,
    ...inBothLanguages('subject', SUBJECTS[limit.subject], (word) => `${word} ${subjectId}`),
    amount: limit.amount,
    amount_en: en.amount,
    amount_zh: zh.amount,
    ...inBothLanguages('measure', { en: en.measure, zh: zh.measure }),
    ...(period && inBothLanguages('period', period, (word) => word + zoneOf(limit))),
    resets: new Date(nowMs + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
    seconds,
  })
}

/** Returns an exceeded limit in the words of a mail. */
export function limitNews(
  limit: CountedLimit,
  { subjectId, language, display }: { subjectId: string; language: Language; display: QuotaDisplay },
): LimitNews {
  return {
    id: limit.id,
    subject: `${SUBJECTS[limit.subject][language]} ${subjectId}`,
    ...amountOf(limit, display)[language],
    ...(limit.period !== 'none' && { period: PERIODS[limit.period][language] }),
  }
}

/** Returns amount and measure; a quota as money, if the gateway displays it so and it is not too small. */
function amountOf(
  { measure, amount }: CountedLimit,
  { inCurrency, quotaPerUnit }: QuotaDisplay,
): Record<Language, { amount: string; measure: string }> {
  // Six decimals, like all money in texts, but at least the cents.
  const dollars = (amount / quotaPerUnit).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')
  const { en, zh } = MEASURES[measure]
  if (measure !== 'quota' || !inCurrency || Number(dollars) === 0) {
    return { en: { amount: String(amount), measure: en }, zh: { amount: String(amount), measure: zh } }
  }
  return { en: { amount: `$${dollars}`, measure: `of ${en}` }, zh: { amount: `＄${dollars}`, measure: zh } }
}

const zoneOf = ({ time_zone: zone }: CountedLimit): string => (zone === '' ? '' : ` (${zone})`)

function inBothLanguages(
  name: string,
  { en, zh }: { en: string; zh: string },
  shown = (word: string) => word,
): Record<string, string> {
  return { [name]: shown(en), [`${name}_en`]: shown(en), [`${name}_zh`]: shown(zh) }
}
