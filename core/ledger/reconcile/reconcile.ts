import type { Knex } from 'knex'
import { LOG_TYPE } from '../../logs/log.ts'
import type { ProviderUsage } from './exports.ts'

/** What a provider and the log say of one model and day, in tokens. */
export interface Reconciled {
  day: string
  model: string
  provider_input: number
  logged_input: number
  provider_output: number
  logged_output: number
  /** What the provider counted and the log has not, of input and output together; below 0: the log has more. */
  difference: number
  /** Of the larger side; 0 to 100. */
  percent: number
}

const DAY_S = 86_400

/** A provider names the version that answered, a client mostly the family: `gpt-4o-2024-08-06` is `gpt-4o`. */
export const familyOf = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^models\//, '')
    .replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')

/** Compares a provider's usage with the log by model and day. `channelIds`: of these channels alone. */
export async function reconcile(
  db: Knex,
  usages: readonly ProviderUsage[],
  { channelIds = [] }: { channelIds?: readonly number[] } = {},
): Promise<Reconciled[]> {
  const days = usages.map(({ day }) => day).sort()
  const [first = '', last = ''] = [days[0], days.at(-1)]
  if (first === '') return []
  const rows = new Map<string, Reconciled>()
  const rowOf = (day: string, model: string): Reconciled => {
    const key = `${day} ${familyOf(model)}`
    const known = rows.get(key)
    if (known) return known
    const row = {
      day,
      model: familyOf(model),
      provider_input: 0,
      logged_input: 0,
      provider_output: 0,
      logged_output: 0,
      difference: 0,
      percent: 0,
    }
    rows.set(key, row)
    return row
  }
  for (const { day, model, inputTokens, outputTokens } of usages) {
    const row = rowOf(day, model)
    row.provider_input += inputTokens
    row.provider_output += outputTokens
  }
  const families = new Set([...rows.values()].map(({ model }) => model))
  for (const { day, model, input, output } of await loggedBetween(db, { first, last, channelIds })) {
    // What another provider's models used is in its own export.
    if (!families.has(familyOf(model))) continue
    const row = rowOf(day, model)
    row.logged_input += input
    row.logged_output += output
  }
  return [...rows.values()]
    .map(withDifference)
    .sort((a, b) => a.day.localeCompare(b.day) || a.model.localeCompare(b.model))
}

function withDifference(row: Reconciled): Reconciled {
  const differences = [row.provider_input - row.logged_input, row.provider_output - row.logged_output] as const
  const larger = Math.max(row.provider_input + row.provider_output, row.logged_input + row.logged_output)
  // One side may have too much input and too little output: that is not equal.
  const off = Math.abs(differences[0]) + Math.abs(differences[1])
  return {
    ...row,
    difference: differences[0] + differences[1],
    percent: larger === 0 ? 0 : Math.round(Math.min(1, off / larger) * 10_000) / 100,
  }
}

async function loggedBetween(
  db: Knex,
  { first, last, channelIds }: { first: string; last: string; channelIds: readonly number[] },
): Promise<{ day: string; model: string; input: number; output: number }[]> {
  const secondsOf = (day: string) => Date.parse(`${day}T00:00Z`) / 1000
  const rows: { day: number; model_name: string; input: number; output: number }[] = await db('logs')
    .where({ type: LOG_TYPE.consumption })
    .whereNotNull('request_id')
    .where('created_at', '>=', secondsOf(first))
    .where('created_at', '<', secondsOf(last) + DAY_S)
    .modify((query) => void (channelIds.length > 0 && query.whereIn('channel_id', [...channelIds])))
    .groupByRaw(`created_at - created_at % ${DAY_S}, model_name`)
    .select('model_name', db.raw(`created_at - created_at % ${DAY_S} AS day`))
    .sum({ input: 'prompt_tokens', output: 'completion_tokens' })
  return rows.map(({ day, model_name, input, output }) => ({
    day: new Date(Number(day) * 1000).toISOString().slice(0, 10),
    model: model_name,
    input: Number(input),
    output: Number(output),
  }))
}
