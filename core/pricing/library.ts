import type { ConditionalPrice, calcPrice, ModelPrice } from '@pydantic/genai-prices'
import { keysOf } from '../records.ts'
import type { Condition } from './conditions.ts'

/** The ratios of a model in the price library. Audio ratios are absent if the library lists no price of audio. */
export interface LibraryPrice {
  readonly modelRatio: number
  readonly completionRatio: number
  readonly cacheRatio: number
  readonly cacheWriteRatio: number
  readonly audioRatio?: number
  readonly audioCompletionRatio?: number
  /** Maximum number of tokens of prompt and reply together. */
  readonly contextWindow?: number
  readonly conditions?: readonly Condition[]
}
export type LibraryLookup = (model: string) => LibraryPrice | undefined

/** The price at a model ratio of 1, in dollars per million prompt tokens. */
const DOLLARS_AT_RATIO_ONE = 2
/** The library finds the models of these vendors only if the lookup names the vendor. */
const VENDORS = ['perplexity', 'zai', 'cohere', 'voyageai']
const MODEL_NAME_LENGTH_MAX = 200
/** Maximum number of cached models, because requests can contain any model name. */
const REMEMBERED_NAMES_MAX = 5_000
/** Prices are cached until the next half hour, because some vendors change prices on a date or at a time of day. */
const REMEMBERED_SECONDS_MAX = 1_800

/**
 * Loads the bundled price list and returns its lookup function. Loading takes about 20 ms, so it does not happen at
 * start-up. Prices never come from the network. The list changes only with a new version of the library.
 */
export async function loadLibrary(now = () => Math.floor(Date.now() / 1000)): Promise<LibraryLookup> {
  const library = await import('@pydantic/genai-prices')
  return withCache((model, at) => findInLibrary(library.calcPrice, model, at), now)
}

/** Caches the results of `find` until prices may change. Models that the library does not list are cached too. */
function withCache(find: (model: string, at: Date) => LibraryPrice | undefined, now: () => number): LibraryLookup {
  const prices = new Map<string, LibraryPrice | undefined>()
  let period = 0
  return (model) => {
    if (model.length > MODEL_NAME_LENGTH_MAX) return undefined
    const current = Math.floor(now() / REMEMBERED_SECONDS_MAX)
    if (current !== period || prices.size >= REMEMBERED_NAMES_MAX) prices.clear()
    period = current
    if (prices.has(model)) return prices.get(model)
    const price = find(model, new Date(current * REMEMBERED_SECONDS_MAX * 1_000))
    prices.set(model, price)
    return price
  }
}

function findInLibrary(calculate: typeof calcPrice, model: string, timestamp: Date): LibraryPrice | undefined {
  const calculateFor = (name: string, providerId?: string) =>
    calculate({}, name, { timestamp, ...(providerId !== undefined && { providerId }) })
  const name = withoutEffort(model)
  // OpenRouter sells models under names of the form `vendor/model`.
  const sellers = name.includes('/') ? ['openrouter'] : [undefined, ...VENDORS]
  for (const seller of sellers) {
    const result = calculateFor(name, seller)
    if (result) return withContext(toRatios(listedPrice(result, timestamp)), result.model.context_window)
  }
  return undefined
}

/** Removes the effort from a name: `gpt-5-high` is the model `gpt-5` with more reasoning. Its price is the same. */
function withoutEffort(model: string): string {
  return /^(gpt-5|o\d|grok-3-mini)/.test(model) ? model.replace(/-(none|minimal|low|medium|high|xhigh)$/, '') : model
}

function withContext(price: LibraryPrice | undefined, contextWindow: number | undefined): LibraryPrice | undefined {
  return price && contextWindow ? { ...price, contextWindow } : price
}

/**
 * A price, and the factors by which it changes at times of day. If these cannot be separated, `times` is empty and
 * `prices` includes them.
 */
interface ListedPrice {
  readonly prices: ModelPrice
  readonly times: readonly Condition[]
}

type LibraryResult = NonNullable<ReturnType<typeof calcPrice>>

/**
 * Separates the factors of times of day from a price. If a factor differs by kind of token, it cannot be separated. Then
 * returns the price at `timestamp`, and no times.
 */
function listedPrice({ model_price, model }: LibraryResult, timestamp: Date): ListedPrice {
  const unseparated: ListedPrice = { prices: model_price, times: [] }
  if (!Array.isArray(model.prices)) return unseparated
  // As in the library, the last entry that applies counts.
  const base = model.prices.findLastIndex((entry) => !timesOf(entry) && hasBegun(entry, timestamp))
  const prices = model.prices[base]?.prices
  if (!prices) return unseparated
  const times = model.prices.slice(base + 1).flatMap((entry) => {
    const time = timesOf(entry)
    return time ? [{ kind: 'utc' as const, ...time, ratio: commonRatio(entry.prices, prices) }] : []
  })
  return times.every(({ ratio }) => Number.isFinite(ratio)) ? { prices, times } : unseparated
}

function hasBegun({ constraint }: ConditionalPrice, at: Date): boolean {
  return !constraint || !('start_date' in constraint) || at >= new Date(constraint.start_date)
}

/** Returns the time of day at which an entry applies, in minutes (UTC), or undefined if it applies all day. */
function timesOf({ constraint }: ConditionalPrice): { from: number; to: number } | undefined {
  if (!constraint || !('start_time' in constraint)) return undefined
  return { from: minutesOf(constraint.start_time), to: minutesOf(constraint.end_time) }
}

function minutesOf(time: string): number {
  const [hours = Number.NaN, minutes = Number.NaN] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Returns the factor between two prices, or NaN if the factor differs by kind of token. */
function commonRatio(prices: ModelPrice, base: ModelPrice): number {
  const ratios = Object.keys({ ...prices, ...base }).map((kind) => Number(prices[kind]) / Number(base[kind]))
  const [first = Number.NaN] = ratios
  const rounded = Number(first.toPrecision(12))
  return ratios.every((ratio) => Math.abs(ratio - rounded) < 1e-9) ? rounded : Number.NaN
}

/**
 * Returns the ratios of a price. Returns undefined if the prompt price is absent or 0, because only the operator can
 * declare a model free.
 */
function toRatios({ prices, times }: ListedPrice): LibraryPrice | undefined {
  const dollars = (kind: string) => baseDollars(prices[kind])
  const prompt = dollars('input_mtok')
  if (!prompt) return undefined
  // If text and images have different output prices, use the higher one, because an image model writes little text.
  const completion = Math.max(dollars('output_mtok') ?? prompt, dollars('output_image_mtok') ?? 0)
  const conditions = [...conditionsOf(prices, prompt), ...times]
  const audio = dollars('input_audio_mtok')
  const audioCompletion = dollars('output_audio_mtok')
  return {
    modelRatio: prompt / DOLLARS_AT_RATIO_ONE,
    completionRatio: completion / prompt,
    cacheRatio: (dollars('cache_read_mtok') ?? prompt) / prompt,
    cacheWriteRatio: (dollars('cache_write_mtok') ?? prompt) / prompt,
    ...(audio && { audioRatio: audio / prompt }),
    ...(audio && audioCompletion && { audioCompletionRatio: audioCompletion / audio }),
    ...(conditions.length > 0 && { conditions }),
  }
}

const TIERED = {
  prompt: 'input_mtok',
  completion: 'output_mtok',
  cached: 'cache_read_mtok',
  written: 'cache_write_mtok',
} as const

/** Returns the surcharges for long prompts, and the separate prices of images and reasoning, as conditions. */
function conditionsOf(prices: ModelPrice, prompt: number): Condition[] {
  const conditions: Condition[] = []
  for (const kind of keysOf(TIERED)) {
    const price = prices[TIERED[kind]]
    if (typeof price !== 'object' || !(price.base > 0)) continue
    for (const { start, price: dollars } of price.tiers)
      conditions.push({ kind, above: start, ratio: dollars / price.base })
  }
  const image = baseDollars(prices.input_image_mtok)
  if (image !== undefined && image !== prompt) conditions.push({ kind: 'image', ratio: image / prompt })
  const reasoning = baseDollars(prices.output_reasoning_mtok)
  if (reasoning !== undefined) conditions.push({ kind: 'reasoning', ratio: reasoning / prompt })
  return conditions
}

/** Returns the price without the surcharge for long prompts. */
function baseDollars(price: ModelPrice[string]): number | undefined {
  return typeof price === 'object' ? price.base : price
}
