import type { Knex } from 'knex'
import { LOG_TYPE } from '../../logs/log.ts'
import { dayAfter, startOfDay } from './days.ts'
import { ExportError, type ProviderUsage } from './exports.ts'

/** The usage of one model on one day in tokens and dollars, according to the provider and to the log. */
export interface Reconciled {
  day: string
  model: string
  /** Null if the export contains no tokens, like the other fields with tokens. */
  provider_input: number | null
  logged_input: number
  provider_output: number | null
  logged_output: number
  /** The provider's tokens minus the logged tokens, input and output together. Negative if the log has more. */
  difference: number | null
  /** The deviations of input and output as a percentage of the larger total, 0 to 100. */
  percent: number | null
  /** Dollars that the provider charged. Null if the export contains no costs. */
  provider_cost: number | null
  /** Dollars that users were charged. */
  charged: number
}

interface Sums {
  day: string
  model: string
  provider: { input?: number; output?: number; cost?: number }
  logged: { input: number; output: number; quota: number }
}

/** Maximum number of days. An export of more days probably contains a wrong date. */
const DAYS_MAX = 1100

/** Removes the version from a model's name. Exports have a version (`gpt-4o-2024-08-06`), most requests have none. */
const familyOf = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^models\//, '')
    .replace(/-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '')

/**
 * Compares a provider's usage with the log by model and day. `channelIds` are the channels to compare, or empty for
 * all. `timeZone` is the time zone of the days. Throws ExportError if the export spans more than DAYS_MAX days.
 */
export async function reconcile(
  db: Knex,
  usages: AsyncIterable<ProviderUsage> | Iterable<ProviderUsage>,
  {
    channelIds = [],
    timeZone = 'UTC',
    quotaPerUnit,
  }: { channelIds?: readonly number[]; timeZone?: string; quotaPerUnit: number },
): Promise<Reconciled[]> {
  const rows = new Map<string, Sums>()
  const rowOf = (day: string, model: string): Sums => {
    const key = `${day} ${familyOf(model)}`
    const existing = rows.get(key)
    if (existing) return existing
    const row: Sums = { day, model: familyOf(model), provider: {}, logged: { input: 0, output: 0, quota: 0 } }
    rows.set(key, row)
    return row
  }
  const has = { tokens: false, costs: false }
  for await (const { day, model, inputTokens, outputTokens, cost } of usages) {
    const { provider } = rowOf(day, model)
    has.tokens ||= inputTokens !== undefined
    has.costs ||= cost !== undefined
    provider.input = (provider.input ?? 0) + (inputTokens ?? 0)
    provider.output = (provider.output ?? 0) + (outputTokens ?? 0)
    provider.cost = (provider.cost ?? 0) + (cost ?? 0)
  }
  const families = new Set([...rows.values()].map(({ model }) => model))
  for (const day of daysOf([...rows.values()])) {
    for (const { model, input, output, quota } of await loggedOn(db, { day, timeZone, channelIds })) {
      // Skip models that are not in the export, such as models of other providers.
      if (!families.has(familyOf(model))) continue
      const { logged } = rowOf(day, model)
      logged.input += input
      logged.output += output
      logged.quota += quota
    }
  }
  return [...rows.values()]
    .map((sums) => toReconciled(sums, { has, quotaPerUnit }))
    .sort((a, b) => a.day.localeCompare(b.day) || a.model.localeCompare(b.model))
}

/** Returns all days from the first to the last row. */
function daysOf(rows: readonly { day: string }[]): string[] {
  const named = rows.map(({ day }) => day).sort()
  const [first = '', last = ''] = [named[0], named.at(-1)]
  const days: string[] = []
  for (let day = first; day !== '' && day <= last; day = dayAfter(day)) {
    if (days.length >= DAYS_MAX)
      throw new ExportError(`the export spans ${first} to ${last}, more than ${DAYS_MAX} days`)
    days.push(day)
  }
  return days
}

function toReconciled(
  { day, model, provider: { input = 0, output = 0, cost = 0 }, logged }: Sums,
  { has, quotaPerUnit }: { has: { tokens: boolean; costs: boolean }; quotaPerUnit: number },
): Reconciled {
  return {
    day,
    model,
    provider_input: has.tokens ? input : null,
    logged_input: logged.input,
    provider_output: has.tokens ? output : null,
    logged_output: logged.output,
    difference: has.tokens ? input - logged.input + (output - logged.output) : null,
    percent: has.tokens ? percentOf({ input, output }, logged) : null,
    provider_cost: has.costs ? roundDollars(cost) : null,
    charged: roundDollars(logged.quota / quotaPerUnit),
  }
}

interface Tokens {
  input: number
  output: number
}

/** Returns the deviation in percent. Adds absolute values, so that too much input cannot hide too little output. */
function percentOf(provider: Tokens, logged: Tokens): number {
  const larger = Math.max(provider.input + provider.output, logged.input + logged.output)
  const deviation = Math.abs(provider.input - logged.input) + Math.abs(provider.output - logged.output)
  return larger === 0 ? 0 : Math.round(Math.min(1, deviation / larger) * 10_000) / 100
}

/** Rounds to a millionth of a dollar, to remove floating-point errors. */
const roundDollars = (dollars: number): number => Math.round(dollars * 1e6) / 1e6

/** Queries one day in a time zone, so that the database can use the index of times. */
async function loggedOn(
  db: Knex,
  { day, timeZone, channelIds }: { day: string; timeZone: string; channelIds: readonly number[] },
): Promise<{ model: string; input: number; output: number; quota: number }[]> {
  const rows: { model_name: string; input: number; output: number; quota: number }[] = await db('logs')
    .where({ type: LOG_TYPE.consumption })
    .whereNotNull('request_id')
    .where('created_at', '>=', startOfDay(day, timeZone))
    .where('created_at', '<', startOfDay(dayAfter(day), timeZone))
    .modify((query) => void (channelIds.length > 0 && query.whereIn('channel_id', [...channelIds])))
    .groupBy('model_name')
    .select('model_name')
    .sum({ input: 'prompt_tokens', output: 'completion_tokens', quota: 'quota' })
  return rows.map(({ model_name, input, output, quota }) => ({
    model: model_name,
    input: Number(input),
    output: Number(output),
    quota: Number(quota),
  }))
}
