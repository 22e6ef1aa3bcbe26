/** What a provider says that one model used on one day. */
export interface ProviderUsage {
  /** UTC, as 2026-01-31. */
  day: string
  model: string
  inputTokens: number
  outputTokens: number
}

export type Record = Readonly<{ [column: string]: unknown }>

/** How one provider's export is read. */
interface Format {
  readonly provider: string
  /** All must be there, under one of their names; letters may be large or small. */
  readonly columns: Readonly<{ [column: string]: readonly string[] }>
  /** undefined: the row is about something else than tokens. */
  read(cell: (column: string) => string): ProviderUsage | undefined
}

/** A row that cannot be read. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
}

const FORMATS: readonly Format[] = [
  {
    // The console's export of usage: one row for each day, model, key and kind of use.
    provider: 'Anthropic',
    columns: {
      day: ['usage_date_utc'],
      model: ['model_version', 'model'],
      input: ['usage_input_tokens_no_cache'],
      output: ['usage_output_tokens'],
    },
    read: (cell) => ({
      day: dayOf(cell('day')),
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
    // The dashboard's export of activity, with the fields of https://platform.openai.com/docs/api-reference/usage
    provider: 'OpenAI',
    columns: {
      day: ['start_time_iso', 'start_time', 'date', 'timestamp'],
      model: ['model', 'snapshot_id'],
      input: ['input_tokens', 'n_context_tokens_total'],
      output: ['output_tokens', 'n_generated_tokens_total'],
    },
    read: (cell) => ({
      day: dayOf(cell('day')),
      model: cell('model'),
      inputTokens: numberOf(cell('input')),
      outputTokens: numberOf(cell('output')),
    }),
  },
  {
    // The cost table of Cloud Billing, by day and SKU: https://cloud.google.com/billing/docs/how-to/cost-table
    provider: 'Google',
    columns: { day: ['usage start date'], sku: ['sku description'], amount: ['usage amount'] },
    read(cell) {
      const sku = cell('sku')
      const direction = /\b(input|output|caching|cached|response)\b/i.exec(sku)?.[1]?.toLowerCase()
      const model = /^(?:vertex ai:? )?(gemini [\d.]+ (?:pro|flash(?:[- ]lite)?|nano|ultra)|gemma \d+)/i.exec(sku)?.[1]
      if (!direction || !model) return undefined
      const tokens = numberOf(cell('amount'))
      const isOutput = direction === 'output' || direction === 'response'
      return {
        day: dayOf(cell('day')),
        model: model.toLowerCase().replaceAll(' ', '-'),
        inputTokens: isOutput ? 0 : tokens,
        outputTokens: isOutput ? tokens : 0,
      }
    },
  },
]

/**
 * What a provider's export says, by day and model. Throws ExportError with the columns that each known export has, or with the line
 * that cannot be read.
 */
export function readExport(records: readonly { line: number; fields: Record }[]): {
  provider: string
  usages: ProviderUsage[]
} {
  const titles = Object.keys(records[0]?.fields ?? {}).map(plain)
  const format = FORMATS.find(({ columns }) => Object.values(columns).every((names) => names.some(isIn(titles))))
  if (!format) {
    const known = FORMATS.map(
      ({ provider, columns }) =>
        `${provider}: ${Object.values(columns)
          .map(([name]) => name)
          .join(', ')}`,
    )
    throw new ExportError(`no export of a provider that is known; these have the columns ${known.join('; ')}`)
  }
  const usages: ProviderUsage[] = []
  for (const { line, fields } of records) {
    const cells = new Map(Object.entries(fields).map(([name, value]) => [plain(name), String(value ?? '')]))
    const cell = (column: string) => {
      const names = format.columns[column] ?? [column]
      return cells.get(names.find((name) => cells.get(name)) ?? '')?.trim() ?? ''
    }
    try {
      const usage = format.read(cell)
      if (usage?.model) usages.push(usage)
    } catch (error) {
      throw new ExportError(`line ${line}: ${(error as Error).message}`)
    }
  }
  return { provider: format.provider, usages }
}

const plain = (title: string): string =>
  title
    .replace(/^\uFEFF/, '')
    .trim()
    .toLowerCase()
const isIn = (titles: readonly string[]) => (name: string) => titles.includes(name)

/** Thousands may be separated: exports are made for spreadsheets. */
function numberOf(text: string): number {
  const number = Number(text.replaceAll(',', '') || 0)
  if (!Number.isFinite(number) || number < 0) throw new ExportError(`${text} is no count of tokens`)
  return number
}

function dayOf(text: string): string {
  const at = /^\d{9,11}$/.test(text)
    ? new Date(Number(text) * 1000)
    : new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text)
  if (text === '' || Number.isNaN(at.getTime())) throw new ExportError(`${text || 'nothing'} is no date`)
  return at.toISOString().slice(0, 10)
}
