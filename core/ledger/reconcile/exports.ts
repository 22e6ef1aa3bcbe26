import { errorMessage } from '../../error-parts.ts'
import { dayAt } from './days.ts'

/** The usage or cost of one model on one day, according to the provider. */
export interface ProviderUsage {
  /** A day such as 2026-01-31, in the time zone of the export. */
  day: string
  model: string
  /** Undefined if the export contains no tokens. */
  inputTokens?: number | undefined
  outputTokens?: number | undefined
  /** Dollars. Undefined if the export contains no costs. */
  cost?: number | undefined
}

interface ReadExport {
  provider: string
  /** Time zone of the export's days, as an IANA name. */
  timeZone: string
  usages: AsyncIterable<ProviderUsage>
}

export type ExportRecord = Readonly<{ line: number; fields: Readonly<{ [column: string]: unknown }> }>

/** Returns the text of a cell, or '' if missing. `column` is a name in `Format.columns`, or a lowercase title. */
type Cell = (column: string) => string

/** The format of one provider's export. */
interface Format {
  readonly provider: string
  readonly timeZone: string
  /** The required columns, each with its possible titles in lower case. The titles of an export may be in any case. */
  readonly columns: Readonly<{ [column: string]: readonly string[] }>
  /** Returns the usage or cost of a row, or undefined if the row has neither. Throws ExportError. */
  read(cell: Cell, timeZone: string): ProviderUsage | undefined
}

/** Thrown for an unknown export, or for a row that cannot be parsed. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

/** The time zone of Cloud Billing: https://cloud.google.com/billing/docs/how-to/reports#time-range */
const GOOGLE_TIME_ZONE = 'America/Los_Angeles'

const FORMATS: readonly Format[] = [
  {
    // The usage export of Anthropic's console. It has one row for each day, model, key and kind of usage.
    provider: 'Anthropic',
    timeZone: 'UTC',
    columns: {
      day: ['usage_date_utc'],
      model: ['model_version', 'model'],
      input: ['usage_input_tokens_no_cache'],
      output: ['usage_output_tokens'],
    },
    read: (cell, timeZone) => ({
      day: dayOf(cell('day'), timeZone),
      model: cell('model'),
      inputTokens:
        numberOf(cell('input')) +
        numberOf(cell('usage_input_tokens_cache_write_5m')) +
        numberOf(cell('usage_input_tokens_cache_write_1h')) +
        numberOf(cell('usage_input_tokens_cache_write')) +
        numberOf(cell('usage_input_tokens_cache_read')),
      outputTokens: numberOf(cell('output')),
    }),
  },
  {
    // The cost export of Anthropic's console. It has display names of models, such as Claude Haiku 4.5.
    provider: 'Anthropic',
    timeZone: 'UTC',
    columns: { day: ['usage_date_utc'], model: ['model'], cost: ['cost_usd'] },
    read: (cell, timeZone) => ({
      day: dayOf(cell('day'), timeZone),
      model: cell('model').toLowerCase().replace(/[ .]+/g, '-'),
      cost: numberOf(cell('cost')),
    }),
  },
  {
    // The activity export of OpenAI's dashboard, with the fields of
    // https://platform.openai.com/docs/api-reference/usage
    provider: 'OpenAI',
    timeZone: 'UTC',
    columns: {
      day: ['start_time_iso', 'start_time', 'date', 'timestamp'],
      model: ['model', 'snapshot_id'],
      input: ['input_tokens', 'n_context_tokens_total'],
      output: ['output_tokens', 'n_generated_tokens_total'],
    },
    read: (cell, timeZone) => ({
      day: dayOf(cell('day'), timeZone),
      model: cell('model'),
      inputTokens: numberOf(cell('input')),
      outputTokens: numberOf(cell('output')),
    }),
  },
  {
    // The cost export of OpenAI's dashboard, grouped by line item, such as `gpt-4o-2024-08-06, input`.
    provider: 'OpenAI',
    timeZone: 'UTC',
    columns: {
      day: ['start_time_iso', 'start_time'],
      item: ['line_item'],
      amount: ['amount_value'],
      currency: ['amount_currency'],
    },
    read(cell, timeZone) {
      const model = cell('item').split(',')[0]?.trim() ?? ''
      if (cell('amount') === '') return undefined
      return { day: dayOf(cell('day'), timeZone), model, cost: dollars(cell('amount'), cell('currency')) }
    },
  },
  {
    // The cost table of Cloud Billing, by day and SKU: https://cloud.google.com/billing/docs/how-to/cost-table
    provider: 'Google',
    timeZone: GOOGLE_TIME_ZONE,
    columns: { day: ['usage start date'], sku: ['sku description'], amount: ['usage amount'] },
    read(cell, timeZone) {
      const sku = cell('sku')
      const direction = /\b(input|output|caching|cached|response)\b/i.exec(sku)?.[1]?.toLowerCase()
      const model = /^(?:vertex ai:? )?(gemini [\d.]+ (?:pro|flash(?:[- ]lite)?|nano|ultra)|gemma \d+)/i.exec(sku)?.[1]
      if (!direction || !model || !/^(count|tokens?|)$/i.test(cell('usage unit'))) return undefined
      const tokens = numberOf(cell('amount'))
      const isOutput = direction === 'output' || direction === 'response'
      const cost = cell('cost ($)') || cell('cost (usd)')
      return {
        day: dayOf(cell('day'), timeZone),
        model: model.toLowerCase().replaceAll(' ', '-'),
        inputTokens: isOutput ? 0 : tokens,
        outputTokens: isOutput ? tokens : 0,
        cost: cost === '' ? undefined : numberOf(cost.replace('$', '')),
      }
    },
  },
]

/**
 * Parses a provider's export row by row. Throws ExportError if the format is unknown. The error lists the columns of
 * each known format. `usages` throws ExportError for a line that cannot be parsed. `timeZone` is the time zone of the
 * export's days, if it is not the default of the format.
 */
export async function readExport(
  records: AsyncIterable<ExportRecord>,
  { timeZone: requestedZone }: { timeZone?: string | undefined } = {},
): Promise<ReadExport> {
  const iterator = records[Symbol.asyncIterator]()
  const first = await iterator.next()
  const titles = Object.keys(first.done ? {} : first.value.fields).map(normalizeTitle)
  const format = FORMATS.find(({ columns }) => Object.values(columns).every((names) => names.some(isIn(titles))))
  if (!format) {
    const knownFormats = FORMATS.map(({ provider, columns }) => {
      const firstTitles = Object.values(columns).map(([title]) => title)
      return `${provider}: ${firstTitles.join(', ')}`
    })
    throw new ExportError(
      `the format of this export is unknown; known formats have the columns ${knownFormats.join('; ')}`,
    )
  }
  const timeZone = requestedZone ?? format.timeZone
  async function* usages(rowFormat: Format): AsyncGenerator<ProviderUsage> {
    for (let step = first; !step.done; step = await iterator.next()) {
      const usage = readRow(rowFormat, step.value, timeZone)
      if (usage?.model) yield usage
    }
  }
  return { provider: format.provider, timeZone, usages: usages(format) }
}

function readRow({ columns, read }: Format, { line, fields }: ExportRecord, timeZone: string) {
  const cells = new Map(Object.entries(fields).map(([name, value]) => [normalizeTitle(name), String(value ?? '')]))
  const cell = (column: string) => {
    const names = columns[column] ?? [column]
    return cells.get(names.find((name) => cells.get(name)) ?? '')?.trim() ?? ''
  }
  try {
    return read(cell, timeZone)
  } catch (error) {
    throw new ExportError(`line ${line}: ${errorMessage(error)}`)
  }
}

const normalizeTitle = (title: string): string =>
  title
    .replace(/^\uFEFF/, '')
    .trim()
    .toLowerCase()
const isIn = (titles: readonly string[]) => (name: string) => titles.includes(name)

/** Parses a number of tokens or dollars. Exports for spreadsheets may contain thousands separators. */
function numberOf(text: string): number {
  const number = Number(text.replaceAll(',', '') || 0)
  if (!Number.isFinite(number) || number < 0) throw new ExportError(`${text} is not a number of tokens or dollars`)
  return number
}

function dollars(amount: string, currency: string): number {
  if (currency.toLowerCase() !== 'usd')
    throw new ExportError(`${amount} ${currency}: only costs in USD can be compared`)
  return numberOf(amount)
}

/** Returns the day of a cell. A time without a zone is in the export's time zone. */
function dayOf(text: string, timeZone: string): string {
  if (/^\d{9,11}$/.test(text)) return dayAt(Number(text) * 1000, timeZone)
  const [, day, time = ''] = /^(\d{4}-\d\d-\d\d)([T ].*)?$/.exec(text) ?? []
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/i.test(time)
  const at = Date.parse(hasZone ? `${day}${time.replace(' ', 'T')}` : `${day}T00:00Z`)
  if (day === undefined || Number.isNaN(at)) {
    throw new ExportError(`${text || 'nothing'} is not a date: expected 2026-01-31, or unix seconds`)
  }
  return hasZone ? dayAt(at, timeZone) : day
}
