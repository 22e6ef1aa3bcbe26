import type { Language } from '../messages/language.ts'
import { type CoreTextId, textIn } from '../messages/texts.ts'
import { type Event, eventText, isKnownEvent, type QuotaDisplay } from './texts.ts'

/** Name of channel tests in `token_name` and `content` of their rows. It must not change, because queries use it. */
export const TEST_NAME = '模型测试'

/**
 * The Chinese words for prices in stored rows, in the order of replacement, with the ids of their texts. The documented
 * API has Chinese texts in `content`. These patterns read rows of all versions, so they stay even if the Chinese texts
 * change.
 */
const PRICE_WORDS: readonly [RegExp, CoreTextId][] = [
  [/模型倍率(?= )/g, 'remark.modelRatio'],
  [/音频补全倍率(?= )/g, 'remark.audioCompletionRatio'],
  [/补全倍率(?= )/g, 'remark.completionRatio'],
  [/音频倍率(?= )/g, 'remark.audioRatio'],
  [/分组倍率(?= )/g, 'remark.groupRatio'],
  [/模型固定价格(?= )/g, 'remark.fixedModelPrice'],
  [/模型价格(?= )/g, 'remark.modelPrice'],
  [/操作(?= )/g, 'remark.action'],
  [/(?<=, )大小(?= )/g, 'remark.size'],
  [/(?<=, )品质(?= )/g, 'remark.quality'],
  [/批处理折扣(?= )/g, 'remark.batchDiscount'],
  [/批处理(?= )/g, 'remark.batch'],
  [/（上游尚未确认）/g, 'remark.unconfirmed'],
  [/\d+ 个请求的预估费用/g, 'remark.requestsEstimate'],
  [/超出预估的费用/g, 'remark.aboveEstimate'],
  [/(?<= )\d+ 次(?= × )/g, 'remark.calls'],
  [/（可能是上游超时）/g, 'remark.mayHaveTimedOut'],
  [/，/g, 'remark.separator'],
]
const PRICE_START = /^(模型(倍率|固定价格|价格)|批处理) /

interface Remarked {
  content: string
  token_name: string
  other: string
}

/**
 * Returns a row with its texts in one language. An event is stored as a code with parameters (`other.event`), and this
 * function renders it. In a row without an event, the known Chinese words of relays and tests are translated. Other
 * texts stay unchanged.
 */
export function translateRemarks<Row extends Remarked>(row: Row, language: Language, display: QuotaDisplay): Row {
  const event = eventOf(row.other)
  if (event) return { ...row, content: eventText(event, display, language) }
  if (language === 'zh') return row
  return { ...row, content: inEnglish(row.content), token_name: inEnglish(row.token_name) }
}

function inEnglish(text: string): string {
  if (text === TEST_NAME) return textIn('en', 'remark.channelTest')
  if (!PRICE_START.test(text)) return text
  return PRICE_WORDS.reduce(
    (translated, [words, id]) =>
      translated.replace(words, (match) => textIn('en', id, { count: Number.parseInt(match, 10) })),
    text,
  )
}

/** Returns the event of a row, or undefined if the row has no event that this version knows. */
function eventOf(other: string): Event | undefined {
  // Do not parse the rows of relays. Most rows are from relays, and these have no event.
  if (!other.startsWith('{"event":')) return undefined
  try {
    const { event }: { event?: unknown } = JSON.parse(other)
    return isKnownEvent(event) ? event : undefined
  } catch {
    return undefined
  }
}

/** Returns `other` for an event's row. */
export function storedEvent({ text, ...params }: Event): string {
  const storedNames: readonly string[] = [
    ...['quota', 'before', 'redemptionId', 'money', 'count', 'taskId', 'team', 'user', 'promptTokens'],
    ...['completionTokens', 'cost'],
  ]
  const knownParams = Object.entries(params).filter(([name]) => storedNames.includes(name))
  return JSON.stringify({ event: { text, ...Object.fromEntries(knownParams) } })
}
