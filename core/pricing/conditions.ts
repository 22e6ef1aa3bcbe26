import type { Ratios } from './defaults.ts'
import { matchesName } from './names.ts'
import type { Price } from './price.ts'

/**
 * Prices can depend on the length of the prompt, the service tier, the effort and the time of day. An entry of the
 * option `PriceConditions` has the key `condition:model`. A model name that ends in `*` is a prefix.
 */

/** A condition, and the factor by which it multiplies a price (`ratio`). */
export type Condition = { readonly ratio: number } & (
  | { readonly kind: 'prompt' | 'completion' | 'cached' | 'written'; readonly above: number }
  | { readonly kind: 'tier' | 'effort'; readonly name: string }
  /** Minutes of a day in UTC. If `to` is less than `from`, the range includes midnight. */
  | { readonly kind: 'utc'; readonly from: number; readonly to: number }
  /** For these kinds, `ratio` is not a factor. It is the price of an image or reasoning token, in prompt tokens. */
  | { readonly kind: 'image' | 'reasoning' }
)

/** The facts of a request that conditions use. */
interface PriceFacts {
  /** The prompt tokens of one request to the upstream, including cached tokens. */
  readonly promptTokens: number
  readonly tier: string | undefined
  readonly effort: string | undefined
  /** Unix milliseconds. */
  readonly at: number
}

const LENGTH = /^(prompt|completion|cached|written)>(\d{1,9})$/
const NAMED = /^(tier|effort)=([\w-]{1,32})$/
const TIMES = /^utc=([01]\d|2[0-3])([0-5]\d)-([01]\d|2[0-3])([0-5]\d)$/

/** Parses a condition such as `prompt>200000`, `tier=flex` or `utc=1630-0030`. Undefined if invalid. */
export function readCondition(text: string, ratio: number): Condition | undefined {
  const [, long, above] = LENGTH.exec(text) ?? []
  const longKind = LENGTH_KINDS.find((kind) => kind === long)
  if (longKind) return { kind: longKind, above: Number(above), ratio }
  const [, namedKind, name = ''] = NAMED.exec(text) ?? []
  if (namedKind === 'tier' || namedKind === 'effort') return { kind: namedKind, name, ratio }
  const times = TIMES.exec(text)
  if (times) {
    const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = times.slice(1).map(Number)
    return { kind: 'utc', from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute, ratio }
  }
  return text === 'image' || text === 'reasoning' ? { kind: text, ratio } : undefined
}

/** Returns the text from which `readCondition` parses the condition. */
export function conditionText(condition: Condition): string {
  switch (condition.kind) {
    case 'tier':
    case 'effort':
      return `${condition.kind}=${condition.name}`
    case 'utc':
      return `utc=${clockText(condition.from)}-${clockText(condition.to)}`
    case 'image':
    case 'reasoning':
      return condition.kind
    default:
      return `${condition.kind}>${condition.above}`
  }
}

const clockText = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}`

/** Splits a key of `PriceConditions` into condition and model. Returns undefined if the key is invalid. */
export function readConditionRow(row: string): { condition: string; model: string } | undefined {
  const colon = row.indexOf(':')
  const [condition, model] = [row.slice(0, colon), row.slice(colon + 1)]
  return colon > 0 && model !== '' && readCondition(condition, 1) ? { condition, model } : undefined
}

/** Returns the operator's conditions for the longest matching model name, or undefined if there are none. */
export function conditionsIn(table: Ratios, model: string): Condition[] | undefined {
  let longest = ''
  let conditions: Condition[] | undefined
  for (const [key, ratio] of Object.entries(table)) {
    const { condition = '', model: pattern = '' } = readConditionRow(key) ?? {}
    const parsed = matchesName(model, pattern) ? readCondition(condition, ratio) : undefined
    if (!parsed || pattern.length < longest.length) continue
    if (pattern !== longest) conditions = []
    longest = pattern
    conditions?.push(parsed)
  }
  return conditions
}

/** Adds conditions to a price. Returns the same object if there are none. */
export function withConditions(price: Price, conditions: readonly Condition[] | undefined): Price {
  if (!conditions?.length) return price
  const image = conditions.find(({ kind }) => kind === 'image')?.ratio
  const reasoning = conditions.find(({ kind }) => kind === 'reasoning')?.ratio
  return {
    ...price,
    conditions,
    ...(image !== undefined && { imageRatio: image }),
    ...(reasoning !== undefined && { reasoningRatio: reasoning }),
  }
}

const LENGTH_KINDS = ['prompt', 'completion', 'cached', 'written'] as const

/** Returns the price of one request, or the same object if no condition applies. */
export function applyConditions(price: Price, facts: PriceFacts): Price {
  const { conditions } = price
  if (!conditions) return price
  const applied: Condition[] = []
  for (const kind of LENGTH_KINDS) {
    let highest: Extract<Condition, { above: number }> | undefined
    for (const one of conditions) {
      if (one.kind !== kind || facts.promptTokens <= one.above) continue
      if (!highest || one.above > highest.above) highest = one
    }
    if (highest) applied.push(highest)
  }
  const minute = Math.floor(facts.at / 60_000) % 1440
  for (const one of conditions) {
    if (one.kind === 'tier' && one.name === facts.tier) applied.push(one)
    if (one.kind === 'effort' && one.name === facts.effort) applied.push(one)
    if (one.kind === 'utc' && isWithin(minute, one)) applied.push(one)
  }
  return applied.length === 0
    ? price
    : { ...multiplyPrice(price, applied), applied: applied.map(appliedText).join(', ') }
}

const appliedText = (condition: Condition): string => `${conditionText(condition)} × ${condition.ratio}`

function isWithin(minute: number, { from, to }: { from: number; to: number }): boolean {
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to
}

function multiplyPrice(price: Price, applied: readonly Condition[]): Price {
  const ratioOf = (kind: Condition['kind']) => applied.find((one) => one.kind === kind)?.ratio
  const product = (kind: Condition['kind']) =>
    applied.reduce((ratio, one) => (one.kind === kind ? ratio * one.ratio : ratio), 1)
  const prompt = ratioOf('prompt') ?? 1
  const factor = prompt * product('tier') * product('utc')
  // Ratios are relative to the price of the prompt. If the prompt is free, there is no relative price.
  const relative = (kind: Condition['kind']) => (prompt > 0 ? (ratioOf(kind) ?? prompt) / prompt : 1)
  const completion = relative('completion') * product('effort')
  return {
    ...price,
    modelRatio: price.modelRatio * factor,
    completionRatio: price.completionRatio * completion,
    cacheRatio: price.cacheRatio * relative('cached'),
    cacheWriteRatio: price.cacheWriteRatio * relative('written'),
    ...(price.reasoningRatio !== undefined && { reasoningRatio: price.reasoningRatio * completion }),
  }
}

/** Cached results of `highestPrice`, by price object (the same until prices change) and number of thresholds. */
const highestPrices = new WeakMap<Price, Map<number, Price>>()

/**
 * Returns the highest price that a request may have, for its hold. If `promptTokens` is 0, the length of the prompt is
 * unknown, and every condition on the length may apply.
 */
export function highestPrice(price: Price, promptTokens: number): Price {
  const { conditions } = price
  if (!conditions) return price
  const reached = conditions.filter((one) => 'above' in one && (promptTokens === 0 || promptTokens > one.above)).length
  const byReached = highestPrices.get(price) ?? new Map<number, Price>()
  highestPrices.set(price, byReached)
  const cached = byReached.get(reached)
  if (cached) return cached
  const possible = conditions.filter((one) => !('above' in one) || promptTokens === 0 || promptTokens > one.above)
  const highest = multiplyHighest(price, possible)
  byReached.set(reached, highest)
  return highest
}

function multiplyHighest(price: Price, possible: readonly Condition[]): Price {
  const most = (kind: Condition['kind']) =>
    possible.reduce((ratio, one) => (one.kind === kind ? Math.max(ratio, one.ratio) : ratio), 1)
  const prompts = most('prompt')
  const image = Math.max(1, price.imageRatio ?? 1)
  const modelRatio = price.modelRatio * prompts * most('tier') * most('utc') * image
  const completion = Math.max(prompts, most('completion')) / prompts / image
  const ratio = Math.max(price.completionRatio, price.reasoningRatio ?? 0)
  return { ...price, modelRatio, completionRatio: ratio * completion * most('effort') }
}
