import { en } from '../messages/en.ts'
import type { Language } from '../messages/language.ts'
import { textIn } from '../messages/texts.ts'
import { recordOf } from '../records.ts'

/** The format of quota in log texts. */
export interface QuotaDisplay {
  /** If true, quota is shown as dollars with six decimals, otherwise as a number (option DisplayInCurrencyEnabled). */
  inCurrency: boolean
  /** Quota per dollar. */
  quotaPerUnit: number
}

export function quotaText(
  quota: number,
  { inCurrency, quotaPerUnit }: QuotaDisplay,
  language: Language = 'zh',
): string {
  if (!inCurrency) return textIn(language, 'amount.quota', { quota })
  return textIn(language, 'amount.money', { dollars: (quota / quotaPerUnit).toFixed(6) })
}

/** An event other than a relay, with the parameters of its text. */
export type Event =
  | { text: 'new-user-grant'; quota: number }
  | { text: 'invitee-grant'; quota: number }
  | { text: 'inviter-grant'; quota: number }
  | { text: 'quota-edit'; quota: number; before: number }
  | { text: 'debt-edit'; quota: number; before: number }
  | { text: 'redeemed'; quota: number; redemptionId: number }
  | { text: 'topped-up'; quota: number; money: number }
  | { text: 'cleared'; count: number }
  | { text: 'drawing-refunded'; quota: number; taskId: string }
  | { text: 'task-refunded'; quota: number; taskId: string }
  | { text: 'team-given'; quota: number; team: string }
  | { text: 'team-received'; quota: number; user: string }
  | { text: 'team-deleted'; quota: number; team: string }
  | { text: 'batch-absent'; quota: number; taskId: string }
  | { text: 'batch-ended'; quota: number; taskId: string; promptTokens: number; completionTokens: number; cost: number }
  | { text: 'failures-counted'; count: number }

/** Returns whether a stored value is an event for which this version has a text. */
export function isKnownEvent(value: unknown): value is Event {
  const name = String(recordOf(value).text)
  return Object.hasOwn(en.event, name) || Object.hasOwn(en.event, `${name}_other`)
}

/** The parameters of events that are shown as amounts of quota. */
const QUOTAS: ReadonlySet<string> = new Set(['quota', 'before', 'cost'])

/** Returns an event's text in one language. The Chinese texts are those of the documented API. */
export function eventText({ text, ...params }: Event, display: QuotaDisplay, language: Language = 'zh'): string {
  const values = Object.entries(params).map(([name, value]) => {
    if (QUOTAS.has(name)) return [name, quotaText(Number(value), display, language)]
    return [name, name === 'money' ? Number(value).toFixed(6) : value]
  })
  return textIn(language, `event.${text}`, Object.fromEntries(values))
}

/** Log text for a rejected prompt with sensitive words. The words are in `other.admin_info`, for administrators. */
export const SENSITIVE_REJECTION_TEXT = '请求包含敏感词，已被拒绝'
