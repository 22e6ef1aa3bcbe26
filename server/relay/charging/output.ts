import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { candidatesOf, type Pool } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { Want } from '../../../core/ledger/want.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { BY_USAGE, holdQuota, type Price } from '../../../core/pricing/prices.ts'
import type { ModelLimits, Pricing } from '../../../core/pricing/pricing.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Admitted } from '../admission/admission.ts'
import { TOKENS_MAX } from '../dialects/refuse.ts'
import { hostedQuota } from '../hosted/admit-hosted.ts'
import { valuesOfSpellings } from '../hosted/folded.ts'
import { mappedModel } from '../routing/attempts.ts'
import { OUTPUT_FLOOR_MAX, type OutputFloors, outputFloor, outputFloors } from './output-floor.ts'
import { promptToHold, quotaToHold } from './quota-to-hold.ts'

/** Assumed output limit of an unknown model. Few models write more tokens. */
const UNKNOWN_TOKENS_MAX = 131_072
/**
 * Each reply may have at least this many output tokens if the balance covers them, even if `HoldShare` allows fewer.
 */
const USEFUL_TOKENS = 512

/** The output of a conversation that the hold must cover. */
interface OutputWant {
  /** Output tokens of all choices together. */
  readonly tokens: number
  readonly choices: number
  /** Smallest output limit per reply that the upstreams accept. 0 means that any limit is accepted. */
  readonly floor: number
  /** Whether the hold may be smaller than the maximum cost, because the output can be limited. */
  readonly isFlexible: boolean
  /**
   * Whether the hold can be extended during the stream, so that no output limit is needed. The stream must contain all
   * billable output.
   */
  readonly grows: boolean
  readonly hidesReasoning: boolean
}

/** The possible cost of a relay, computed before the hold. */
export interface RelayWant extends Want {
  readonly promptTokens: number
  /** The part of `quota` for hosted tools. */
  readonly toolQuota: number
  /** The output of a conversation. Absent for other operations. */
  readonly output?: OutputWant
}

/**
 * Returns the quota to hold for a relay: its maximum cost. If the output can be limited, a small balance may cover only
 * a part.
 */
export function wantOf(admitted: Admitted, { pricing, options }: Pick<LocalToolkit, 'pricing' | 'options'>): RelayWant {
  const model = findUpstreamModel(admitted, { pricing, options })
  const promptTokens = promptToHold(admitted, model)
  if (admitted.entry.operation !== 'chat')
    return { promptTokens, toolQuota: 0, quota: quotaToHold(admitted, promptTokens) }
  const price = priceOfOutput(admitted)
  const output = outputOf(admitted, { model, options })
  const toolQuota = admitted.hosted ? hostedQuota(admitted.hosted, price) : 0
  const quota = holdQuota(price, { promptTokens, completionTokens: output.tokens }) + toolQuota
  if (!output.isFlexible) return { promptTokens, toolQuota, output, quota }
  const fixed = holdQuota(price, { promptTokens, completionTokens: 0 }) + toolQuota
  // If the output is free, it needs no limit.
  if (quota === fixed) return { promptTokens, toolQuota, output, quota }
  const costOf = (tokens: number) =>
    holdQuota(price, { promptTokens, completionTokens: Math.min(tokens * output.choices, output.tokens) }) +
    toolQuota -
    fixed
  const unit = costOf(1)
  const flexible = {
    fixed,
    unit,
    outputQuotaMin: Math.max(unit, costOf(Math.max(USEFUL_TOKENS, output.floor))),
    fraction: options.get(OPTIONS.HoldShare),
  }
  return { promptTokens, toolQuota, output, quota, flexible }
}

interface Covered {
  /** Output tokens of all choices. */
  readonly coveredTokens: number
  /** The output limit to send for each reply. Undefined if the client sent a limit, or if no limit is needed. */
  readonly limit: number | undefined
  readonly hidesReasoning: boolean
}

/**
 * Returns the output that a hold covers. Throws INSUFFICIENT_QUOTA if the hold covers no token, or fewer tokens than
 * the floor.
 */
export function coveredBy(
  { quota: held }: Pick<Hold, 'quota'>,
  { admitted, want, options }: { admitted: Admitted; want: RelayWant } & Pick<LocalToolkit, 'options'>,
): Covered {
  const { promptTokens, toolQuota, output, quota } = want
  if (!output) return { coveredTokens: admitted.completionTokens, limit: undefined, hidesReasoning: false }
  const { hidesReasoning } = output
  if (held === quota) return { coveredTokens: output.tokens, limit: undefined, hidesReasoning }
  const perReply = affordableTokens(priceOfOutput(admitted), { promptTokens, output, quota: held - toolQuota })
  if (perReply < Math.max(1, output.floor)) {
    throw new GatewayError('INSUFFICIENT_QUOTA', { needed: quota, available: held })
  }
  const isLimited = !output.grows && options.get(OPTIONS.LimitOutputToBalance)
  return { coveredTokens: perReply * output.choices, limit: isLimited ? perReply : undefined, hidesReasoning }
}

function outputOf(
  admitted: Admitted,
  { model, options }: { model: UpstreamModel } & Pick<LocalToolkit, 'options'>,
): OutputWant {
  const { completionTokens, choices, price, stream } = admitted
  const { tokensMax = UNKNOWN_TOKENS_MAX, hidesReasoning, floors } = model
  if (completionTokens > 0) {
    const floor = completionTokens < OUTPUT_FLOOR_MAX * choices ? outputFloor(floors, admitted.body) : 0
    const tokens = Math.max(completionTokens, floor * choices)
    return { tokens, choices, floor, isFlexible: false, grows: false, hidesReasoning }
  }
  const grows = stream && !hidesReasoning && !wantsSpeech(admitted)
  const perReply = grows ? Math.min(options.get(OPTIONS.PreConsumedQuota), tokensMax) : tokensMax
  // With a price per call, the hold is not flexible, because any output costs the full price.
  return {
    tokens: Math.min(perReply * choices, TOKENS_MAX),
    choices,
    floor: grows ? 0 : outputFloor(floors, admitted.body),
    isFlexible: price.modelPrice === BY_USAGE,
    grows,
    hidesReasoning,
  }
}

/** Returns the price for the hold. If the reply may contain audio, the hold assumes that all output is audio. */
function priceOfOutput(admitted: Pick<Admitted, 'price' | 'body'>): Price {
  const { price } = admitted
  if (!wantsSpeech(admitted)) return price
  return { ...price, completionRatio: Math.max(price.completionRatio, price.audioRatio * price.audioCompletionRatio) }
}

/** Whether a conversation requests audio output. */
function wantsSpeech({ body }: Pick<Admitted, 'body'>): boolean {
  return valuesOfSpellings(body, 'modalities').some((modalities) => [modalities].flat().includes('audio'))
}

/** Returns the maximum tokens per reply that a hold covers. */
function affordableTokens(
  price: Price,
  { promptTokens, output, quota }: { promptTokens: number; output: OutputWant; quota: number },
): number {
  const { tokens, choices } = output
  const isCovered = (each: number) => holdQuota(price, { promptTokens, completionTokens: each * choices }) <= quota
  let low = 0
  let high = Math.floor(tokens / choices)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isCovered(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** The limits of a model at the upstreams of a pool. */
interface UpstreamModel extends ModelLimits {
  /** The model's names at these upstreams. */
  readonly names: readonly string[]
  readonly floors: OutputFloors
}

interface CachedModel {
  readonly model: string
  readonly dialect: DialectName
  readonly version: number
  readonly upstreamModel: UpstreamModel
}

/** Cache of models by pool. A pool stays the same object until a channel changes. */
const cachedModels = new WeakMap<Pool<LiveChannel>, CachedModel>()

/**
 * Returns a model's limits. If the channels map the model to several names, the largest limit of each kind applies.
 */
function findUpstreamModel(
  { channels, model, entry: { dialect } }: Pick<Admitted, 'channels' | 'model' | 'entry'>,
  { pricing, options }: { pricing: Pick<Pricing, 'limits'>; options: Pick<LocalToolkit['options'], 'version'> },
): UpstreamModel {
  const { version } = options
  const cached = cachedModels.get(channels)
  if (cached?.model === model && cached.dialect === dialect && cached.version === version) return cached.upstreamModel
  const candidates = candidatesOf(channels)
  const names = [...new Set(candidates.map(({ modelMapping }) => mappedModel(model, modelMapping)))]
  const limits = names.map((name) => pricing.limits(name))
  const largest = (values: (number | undefined)[]) =>
    values.includes(undefined) ? undefined : Math.max(...(values as number[]))
  const upstreamModel = {
    names,
    tokensMax: largest(limits.map(({ tokensMax }) => tokensMax)),
    contextWindow: largest(limits.map(({ contextWindow }) => contextWindow)),
    hidesReasoning: limits.some(({ hidesReasoning }) => hidesReasoning),
    floors: outputFloors(candidates, { model, dialect }),
  }
  cachedModels.set(channels, { model, dialect, version, upstreamModel })
  return upstreamModel
}
