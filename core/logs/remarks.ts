import type { Language } from '../messages/language.ts'
import { type Event, eventText, hasEventText, type QuotaDisplay } from './texts.ts'

/** Name of channel tests in `token_name` and `content` of their rows. */
export const TEST_NAME = '模型测试'

/** Chinese words about prices in relay rows, with their translation. They are replaced in this order. */
const PRICE_WORDS: readonly [RegExp, string][] = [
  [/模型倍率 /g, 'model ratio '],
  [/音频补全倍率 /g, 'audio completion ratio '],
  [/补全倍率 /g, 'completion ratio '],
  [/音频倍率 /g, 'audio ratio '],
  [/分组倍率 /g, 'group ratio '],
  [/模型固定价格 /g, 'fixed model price '],
  [/模型价格 /g, 'model price '],
  [/操作 /g, 'action '],
  [/批处理折扣 /g, 'batch discount '],
  [/批处理 /g, 'batch '],
  [/(\d+) 个请求的预估费用/g, 'estimate for $1 requests'],
  [/超出预估的费用/g, 'price above its estimate'],
  [/ (\d+) 次 × /g, ' $1 calls × '],
  [/（可能是上游超时）/g, ' (the upstream may have timed out)'],
  [/，/g, ', '],
]
const IS_PRICE = /^(模型(倍率|固定价格|价格)|批处理) /

interface Remarked {
  content: string
  token_name: string
  other: string
}

/**
 * Returns a row with its texts in one language. An event is stored as a code with parameters (`other.event`), and this function
 * renders it. In a row without an event, the known Chinese words of relays and tests are translated. Other texts stay
 * unchanged.
 */
export function readable<Row extends Remarked>(row: Row, language: Language, display: QuotaDisplay): Row {
  const event = eventOf(row.other)
  if (event) return { ...row, content: eventText(event, display, language) }
  if (language === 'zh') return row
  return { ...row, content: inEnglish(row.content), token_name: inEnglish(row.token_name) }
}

function inEnglish(text: string): string {
  if (text === TEST_NAME) return 'channel test'
  if (!IS_PRICE.test(text)) return text
  return PRICE_WORDS.reduce((translated, [words, english]) => translated.replace(words, english), text)
}

/** Returns the event of a row. Undefined if it has none, or one that this version does not know. */
function eventOf(other: string): Event | undefined {
  // Do not parse the rows of relays. Most rows are from relays, and these have no event.
  if (!other.startsWith('{"event":')) return undefined
  try {
    const { event } = JSON.parse(other) as { event?: Partial<Event> }
    return event?.text !== undefined && hasEventText(event.text) ? (event as Event) : undefined
  } catch {
    return undefined
  }
}

/** Returns `other` for an event's row. */
export function storedEvent({ text, ...params }: Event): string {
  const storedNames: readonly string[] = [
    'quota',
    'before',
    'redemptionId',
    'money',
    'count',
    'taskId',
    'team',
    'user',
    'promptTokens',
    'completionTokens',
    'cost',
  ]
  const knownParams = Object.entries(params).filter(([name]) => storedNames.includes(name))
  return JSON.stringify({ event: { text, ...Object.fromEntries(knownParams) } })
}
