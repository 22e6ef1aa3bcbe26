import type { ObjectOwner } from '../../../core/batches/rows.ts'
import { withStoredKey } from '../../../core/channels/keys/key-ring.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { candidatesOf, type Pool, poolOf } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { Price } from '../../../core/pricing/prices.ts'
import { type PricedCalls, type ToolSeller, toolQuota } from '../../../core/pricing/tool-prices.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { refuse } from '../dialects/refuse.ts'
import type { Json } from '../json.ts'
import { mappedModel } from '../routing/attempts.ts'
import { dialectsOf, searchesWeb } from './omitted.ts'
import type { ObjectReference } from './references.ts'
import type { HostedUse } from './uses.ts'

/** A hosted tool that a request may use. */
export interface PricedUse extends HostedUse {
  /** Highest price of a call in dollars, of all channels that may serve the request. */
  readonly price: number
}

export interface HostedTools {
  readonly uses: readonly PricedUse[]
  /** Maximum number of calls of all tools together that have no limit of their own. */
  readonly limit: number
  /** True if the client set no limit. Then `limit` is the gateway's default, which is sent to the upstream. */
  readonly isDefaultLimit: boolean
}

type Channels = Pool<LiveChannel>

/**
 * Returns the channels at which each tool has a price or would not run, and the tools with their prices. Throws
 * TOOL_NOT_PRICED if there is no such channel. Throws REQUEST_MALFORMED if the client's limit of calls is invalid.
 */
export function withPricedTools(
  channels: Channels,
  uses: readonly HostedUse[],
  context: { model: string; body: Readonly<Json>; dialect: DialectName } & Pick<LocalToolkit, 'pricing' | 'options'>,
): { channels: Channels; hosted?: HostedTools } {
  const { model, body, dialect, pricing, options } = context
  let unpricedTool = ''
  const highestPrices = uses.map(() => 0)
  const pricedChannels = candidatesOf(channels).filter((channel) =>
    uses.every((use, at) => {
      const seller = sellerOf(channel, { model, use })
      const tool = toolAt(use, { channel, upstreamModel: mappedModel(model, channel.modelMapping), dialect })
      if (tool === undefined) return true
      const price = pricing.toolPrice(tool, seller, 'highest')
      if (price === undefined) unpricedTool = tool
      else highestPrices[at] = Math.max(highestPrices[at] ?? 0, price)
      return price !== undefined
    }),
  )
  if (pricedChannels.length === 0) throw new GatewayError('TOOL_NOT_PRICED', { tool: unpricedTool })
  const clientLimit = dialect === 'openai-responses' ? callLimitOf(body) : undefined
  const hosted = {
    uses: uses.map((use, at) => ({ ...use, price: highestPrices[at] ?? 0 })),
    limit: clientLimit ?? options.get(OPTIONS.ToolCallsMax),
    isDefaultLimit: clientLimit === undefined,
  }
  return { channels: pricedChannels.length === channels.size ? channels : poolOf(pricedChannels), hosted }
}

/**
 * Returns the limit of calls in a Responses request, if any. Throws REQUEST_MALFORMED. Not for other formats, in which
 * an upstream could ignore the field and make more calls than the hold covers.
 */
function callLimitOf({ max_tool_calls: clientLimit }: Readonly<Json>): number | undefined {
  if (clientLimit === undefined || clientLimit === null) return undefined
  if (Number.isSafeInteger(clientLimit) && Number(clientLimit) >= 1) return Number(clientLimit)
  return refuse('max_tool_calls must be a whole number from 1', 'max_tool_calls')
}

/** Returns the maximum quota for the calls of a request's hosted tools. */
export function hostedQuota({ uses, limit }: HostedTools, price: Price): number {
  const fixed: PricedCalls[] = uses.flatMap(({ tool, calls, price: dollars }) =>
    calls === undefined ? [] : [{ tool, calls, price: dollars }],
  )
  // All calls under the shared limit could be calls of the most expensive of its tools.
  const prices = uses.filter(({ calls }) => calls === undefined).map((use) => use.price)
  const shared = prices.length > 0 ? [{ tool: '', calls: limit, price: Math.max(...prices) }] : []
  return toolQuota(price, [...fixed, ...shared])
}

/** Returns the vendor and the models that determine the price of a channel's tool. */
export function sellerOf(
  { type, modelMapping }: LiveChannel,
  { model, use }: { model: string; use: Pick<HostedUse, 'model'> | undefined },
): ToolSeller {
  const models = use?.model === undefined ? [model, mappedModel(model, modelMapping)] : [use.model]
  return { models, slug: type.slug }
}

/** Whether the upstream uses Google's format, and so has Google's own tools. */
export function isGoogle({ type, settings }: LiveChannel, upstreamModel: string): boolean {
  if (type.family === 'vertex') return !/claude|llama|\//.test(upstreamModel)
  return type.family === 'gemini' || settings.dialects?.includes('gemini') === true
}

/** Returns the tool that a channel's upstream would run for a requested tool, such as its own web search, if any. */
function toolAt(
  { tool, atGoogle, isVerbatim }: HostedUse,
  { channel, upstreamModel, dialect }: { channel: LiveChannel; upstreamModel: string; dialect: DialectName },
): string | undefined {
  if (dialect === 'openai-responses' && !dialectsOf(channel).includes(dialect)) {
    // The translation of a Responses request omits all hosted tools except a web search.
    if (!tool.startsWith('web_search') || !searchesWeb(channel, upstreamModel)) return undefined
  }
  const google = isGoogle(channel, upstreamModel)
  if (atGoogle && !google) return undefined
  if (google) return tool.startsWith('web_search') ? 'google_search' : tool
  return tool === 'google_search' && !isVerbatim ? 'web_search' : tool
}

/**
 * Kinds of objects whose tokens add to the prompt's. Files are missing, because they are counted with the prompt.
 * Prompt templates are missing, because operators write them.
 */
const IN_PROMPT = new Set<string>(['response', 'message', 'item', 'conversation', 'cache', 'audio'])

/**
 * Returns the channels that have all objects that a request names, and the tokens that these objects add to the prompt
 * (Infinity if unknown). Throws STORED_OBJECT_NOT_FOUND or THREAD_NOT_FOUND if no channel remains.
 *
 * An object that the owner's requests did not create remains usable at channels whose objects all users share.
 */
export async function withObjects(
  channels: Channels,
  references: readonly ObjectReference[],
  { owner, storedObjects }: { owner: ObjectOwner } & Pick<LocalToolkit, 'storedObjects'>,
): Promise<{ channels: Channels; storedTokens: number }> {
  const places = await storedObjects.find(owner, references)
  let remaining = candidatesOf(channels)
  let storedTokens = 0
  for (const [at, reference] of references.entries()) {
    const place = places[at]
    remaining = place
      ? remaining.filter(({ id }) => id === place.channelId).map((channel) => withStoredKey(channel, place.keyDigest))
      : remaining.filter(({ settings }) => settings.sharedObjects)
    if (remaining.length === 0) throw notFound(reference)
    if (IN_PROMPT.has(reference.kind)) storedTokens += place?.tokens ?? Number.POSITIVE_INFINITY
  }
  return { channels: poolOf(remaining), storedTokens }
}

/** Maximum number of an id's characters in an error. */
const SHOWN_ID_MAX = 100

/** Returns the error for an object that the owner's requests did not create. */
export function notFound({ kind, id, field }: ObjectReference): GatewayError {
  const shortId = id.slice(0, SHOWN_ID_MAX)
  if (kind === 'message') return new GatewayError('THREAD_NOT_FOUND', { id: shortId })
  const code = kind === 'response' ? 'previous_response_not_found' : 'stored_object_not_found'
  return new GatewayError('STORED_OBJECT_NOT_FOUND', { field, id: shortId, param: field, code })
}
