import type { calcPrice, ModelPrice } from '@pydantic/genai-prices'

/** What the price library says of one model, as ratios; audio ones only where it quotes audio apart from text. */
export interface LibraryPrice {
  readonly modelRatio: number
  readonly completionRatio: number
  readonly cacheRatio: number
  readonly cacheWriteRatio: number
  readonly audioRatio?: number
  readonly audioCompletionRatio?: number
  /** Tokens of prompt and reply together. */
  readonly contextWindow?: number
}
export type LibraryLookup = (model: string) => LibraryPrice | undefined

/** A model ratio of 1, in dollars per million prompt tokens. */
const DOLLARS_AT_RATIO_ONE = 2
/** Vendors whose model names the library does not recognise by themselves. */
const VENDORS = ['perplexity', 'zai', 'cohere', 'voyageai']
const MODEL_NAME_LENGTH_MAX = 200
/** Names come from requests too, so that what is remembered of them must not grow with what people invent. */
const REMEMBERED_NAMES_MAX = 5_000
/** Some vendors change their prices on a date or within the day, on the half hour. */
const REMEMBERED_SECONDS_MAX = 1_800

/**
 * Loads the bundled price list (some 20 ms, hence not at start-up) and answers the lookup. It never asks the
 * network: prices change with a release of the library, or with the operator's own tables.
 */
export async function loadLibrary(now: () => number = unixSeconds): Promise<LibraryLookup> {
  const library = await import('@pydantic/genai-prices')
  return remembered((model, at) => findInLibrary(library.calcPrice, model, at), now)
}

/** Answers repeated questions from memory, misses included, until the price list may say something else. */
function remembered(find: (model: string, at: Date) => LibraryPrice | undefined, now: () => number): LibraryLookup {
  const known = new Map<string, LibraryPrice | undefined>()
  let period = 0
  return (model) => {
    if (model.length > MODEL_NAME_LENGTH_MAX) return undefined
    const current = Math.floor(now() / REMEMBERED_SECONDS_MAX)
    if (current !== period || known.size >= REMEMBERED_NAMES_MAX) known.clear()
    period = current
    if (known.has(model)) return known.get(model)
    const price = find(model, new Date(current * REMEMBERED_SECONDS_MAX * 1_000))
    known.set(model, price)
    return price
  }
}

function findInLibrary(calculate: typeof calcPrice, model: string, timestamp: Date): LibraryPrice | undefined {
  const ask = (name: string, providerId?: string) =>
    calculate({}, name, { timestamp, ...(providerId !== undefined && { providerId }) })
  const name = withoutEffort(model)
  // `vendor/model` is how OpenRouter names what it resells.
  const sellers = name.includes('/') ? ['openrouter'] : [undefined, ...VENDORS]
  for (const seller of sellers) {
    const found = ask(name, seller)
    if (found) return withContext(toRatios(found.model_price), found.model.context_window)
  }
  return undefined
}

/** `gpt-5-high` is `gpt-5` asked to think harder, at the same price per token. */
function withoutEffort(model: string): string {
  return /^(gpt-5|o\d|grok-3-mini)/.test(model) ? model.replace(/-(none|minimal|low|medium|high|xhigh)$/, '') : model
}

function withContext(price: LibraryPrice | undefined, contextWindow: number | undefined): LibraryPrice | undefined {
  return price && contextWindow ? { ...price, contextWindow } : price
}

/** Undefined for a model that is not sold by prompt tokens: what is free is for the operator to say, not for a list. */
function toRatios(prices: ModelPrice): LibraryPrice | undefined {
  const dollars = (kind: string) => baseDollars(prices[kind])
  const prompt = dollars('input_mtok')
  if (!prompt) return undefined
  // A model that draws writes little else.
  const completion = Math.max(dollars('output_mtok') ?? prompt, dollars('output_image_mtok') ?? 0)
  const audio = dollars('input_audio_mtok')
  const audioCompletion = dollars('output_audio_mtok')
  return {
    modelRatio: prompt / DOLLARS_AT_RATIO_ONE,
    completionRatio: completion / prompt,
    cacheRatio: (dollars('cache_read_mtok') ?? prompt) / prompt,
    cacheWriteRatio: (dollars('cache_write_mtok') ?? prompt) / prompt,
    ...(audio && { audioRatio: audio / prompt }),
    ...(audio && audioCompletion && { audioCompletionRatio: audioCompletion / audio }),
  }
}

/** Ratios know no tiers: a surcharge for very long prompts is left out. */
function baseDollars(price: ModelPrice[string]): number | undefined {
  return typeof price === 'object' ? price.base : price
}

function unixSeconds(): number {
  return Math.floor(Date.now() / 1_000)
}
