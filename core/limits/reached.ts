import { GatewayError } from '../errors.ts'
import type { QuotaDisplay } from '../logs/texts.ts'
import type { ExceededLimit } from '../mail/letters.ts'
import type { Language } from '../messages/language.ts'
import { asParams, textIn } from '../messages/texts.ts'
import type { Counter } from './counter.ts'
import type { CountedLimit } from './limit.ts'

/** Retry-After of a concurrency limit, in seconds. It is short, because any request that ends makes room. */
const CONCURRENT_S = 1

/** Returns LIMIT_REACHED with the limit, its subject and its reset. `nowMs` is the database's time in milliseconds. */
export function limitReached(
  { limit, subjectId, availableAt }: Counter,
  { nowMs, display }: { nowMs: number; display: QuotaDisplay },
): GatewayError {
  const seconds = limit.period === 'none' ? CONCURRENT_S : Math.max(1, Math.ceil((availableAt - nowMs) / 1000))
  const textsIn = (language: Language) => textsOf(limit, { subjectId, language, display })
  const [en, zh] = [textsIn('en'), textsIn('zh')]
  const zone = limit.time_zone === '' ? '' : ` (${limit.time_zone})`
  return new GatewayError('LIMIT_REACHED', {
    limit: limit.id,
    ...asParams('subject', { en: en.subject, zh: zh.subject }),
    ...asParams('amount', { en: en.amount, zh: zh.amount }),
    amount: limit.amount,
    ...asParams('measure', { en: en.measure, zh: zh.measure }),
    ...(en.period && zh.period && asParams('period', { en: en.period + zone, zh: zh.period + zone })),
    resets: new Date(nowMs + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z'),
    seconds,
  })
}

/** Returns the texts about an exceeded limit for a mail, in one language. */
export function limitNews(
  limit: CountedLimit,
  options: { subjectId: string; language: Language; display: QuotaDisplay },
): ExceededLimit {
  return { id: limit.id, ...textsOf(limit, options) }
}

/** Returns the texts of a limit. Quota is shown as money if the gateway does so and the amount is large enough. */
function textsOf(
  { subject, measure, amount, period }: CountedLimit,
  {
    subjectId,
    language,
    display: { inCurrency, quotaPerUnit },
  }: { subjectId: string; language: Language; display: QuotaDisplay },
): Omit<ExceededLimit, 'id'> {
  const dollars = (amount / quotaPerUnit).toFixed(6)
  const isMoney = measure === 'quota' && inCurrency && Number(dollars) !== 0
  return {
    subject: `${textIn(language, `limit.${subject}`)} ${subjectId}`,
    amount: isMoney ? textIn(language, 'amount.dollars', { dollars }) : String(amount),
    measure: textIn(language, isMoney ? 'limit.money' : `limit.${measure}`),
    ...(period !== 'none' && { period: textIn(language, `limit.${period}`) }),
  }
}
