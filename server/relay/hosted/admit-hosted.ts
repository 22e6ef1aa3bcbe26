import type { ObjectOwner } from '../../../core/batches/rows.ts'
import { sameKey } from '../../../core/channels/keys/key-ring.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { candidatesOf, type Pool, poolOf } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { Price } from '../../../core/pricing/prices.ts'
import { type PricedCalls, type ToolSeller, toolQuota } from '../../../core/pricing/tool-prices.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Json } from '../json.ts'
import { mappedModel } from '../routing/attempts.ts'
import { dialectsOf, searchesWeb } from './omitted.ts'
import type { Reference } from './references.ts'
import type { HostedUse } from './uses.ts'

/** A tool that the request may use, with the highest price that a channel may charge for it. */
export interface PricedUse extends HostedUse {
  readonly price: number
}

/** The hosted tools of a request. */
export interface HostedTools {
  readonly uses: readonly PricedUse[]
  /** Maximum number of calls of all tools without their own limit. */
  readonly limit: number
  /** Whether the client set no limit, so that the gateway's is sent to the upstream. */
  readonly isOwnLimit: boolean
}

type Channels = Pool<LiveChannel>

/**
 * Returns the channels at which each tool has a price, and the tools. Throws TOOL_NOT_PRICED if there are no such channels,
 * REQUEST_MALFORMED.
 */
export function withPricedTools(
  channels: Channels,
  uses: readonly HostedUse[],
  {
    model,
    body,
    dialect,
    pricing,
    options,
  }: { model: string; body: Readonly<Json>; dialect: DialectName } & Pick<LocalToolkit, 'pricing' | 'options'>,
): { channels: Channels; hosted?: HostedTools } {
  let missing = ''
  const highest = uses.map(() => 0)
  const priced = candidatesOf(channels).filter((channel) =>
    uses.every((use, at) => {
      const seller = sellerOf(channel, { model, use })
      const tool = toolAt(use, { channel, upstreamModel: mappedModel(model, channel.modelMapping), dialect })
      if (tool === undefined) return true
      const price = pricing.toolPrice(tool, seller, 'highest')
      if (price === undefined) missing = tool
      else highest[at] = Math.max(highest[at] ?? 0, price)
      return price !== undefined
    }),
  )
  if (priced.length === 0) throw new GatewayError('TOOL_NOT_PRICED', { tool: missing })
  const asked = dialect === 'openai-responses' ? callsAsked(body) : undefined
  const hosted = {
    uses: uses.map((use, at) => ({ ...use, price: highest[at] ?? 0 })),
    limit: asked ?? options.get(OPTIONS.ToolCallsMax),
    isOwnLimit: asked === undefined,
  }
  return { channels: priced.length === channels.size ? channels : poolOf(priced), hosted }
}

/**
 * Returns the limit of a Responses client. Other formats do not define the field, and an upstream that ignores it would make
 * more calls than the hold covers. Throws REQUEST_MALFORMED.
 */
function callsAsked({ max_tool_calls: asked }: Readonly<Json>): number | undefined {
  if (asked === undefined || asked === null) return undefined
  if (Number.isSafeInteger(asked) && Number(asked) >= 1) return Number(asked)
  throw new GatewayError('REQUEST_MALFORMED', {
    reason: 'max_tool_calls must be a whole number from 1',
    param: 'max_tool_calls',
  })
}

/** Returns the maximum cost of a request's hosted tools, as far as calls can be limited. */
export function hostedQuota({ uses, limit }: HostedTools, price: Price): number {
  const fixed: PricedCalls[] = uses.flatMap(({ tool, calls, price: dollars }) =>
    calls === undefined ? [] : [{ tool, calls, price: dollars }],
  )
  // All tools share the limit, so the most expensive one counts.
  const free = uses.filter(({ calls }) => calls === undefined).map((use) => use.price)
  const shared = free.length > 0 ? [{ tool: '', calls: limit, price: Math.max(...free) }] : []
  return toolQuota(price, [...fixed, ...shared])
}

/** Returns the vendor and the models by which a channel's tool is priced. */
export function sellerOf(
  { type, modelMapping }: LiveChannel,
  { model, use }: { model: string; use: Pick<HostedUse, 'model'> | undefined },
): ToolSeller {
  const models = use?.model === undefined ? [model, mappedModel(model, modelMapping)] : [use.model]
  return { models, slug: type.slug }
}

/** Whether the upstream is Google in its own format, with its own tools. */
export function isGoogle({ type, settings }: LiveChannel, upstreamModel: string): boolean {
  if (type.family === 'vertex') return !/claude|llama|\//.test(upstreamModel)
  return type.family === 'gemini' || settings.dialects?.includes('gemini') === true
}

/** Returns the tool that a channel's upstream runs for a use; undefined if it runs none. Web searches are translated. */
export function toolAt(
  { tool, atGoogle, isVerbatim }: HostedUse,
  { channel, upstreamModel, dialect }: { channel: LiveChannel; upstreamModel: string; dialect: DialectName },
): string | undefined {
  if (dialect === 'openai-responses' && !dialectsOf(channel).includes(dialect)) {
    // Translation omits other tools of Responses.
    if (!tool.startsWith('web_search') || !searchesWeb(channel, upstreamModel)) return undefined
  }
  const google = isGoogle(channel, upstreamModel)
  if (atGoogle && !google) return undefined
  if (google) return tool.startsWith('web_search') ? 'google_search' : tool
  return tool === 'google_search' && !isVerbatim ? 'web_search' : tool
}

/**
 * Objects that an upstream adds to the prompt. Excludes files, which the prompt itself counts, and templates, which operators
 * write.
 */
const IN_PROMPT = new Set<string>(['response', 'message', 'item', 'conversation', 'cache', 'audio'])

/**
 * Returns the channels that have all objects that a request names, and the tokens that these add to its prompt, Infinity if
 * unknown. Throws STORED_OBJECT_NOT_FOUND for an object that the user's own requests did not create, unless all users of a
 * channel share its objects.
 */
export async function withObjects(
  channels: Channels,
  references: readonly Reference[],
  { owner, storedObjects }: { owner: ObjectOwner } & Pick<LocalToolkit, 'storedObjects'>,
): Promise<{ channels: Channels; storedTokens: number }> {
  const places = await storedObjects.find(owner, references)
  let left = candidatesOf(channels)
  let storedTokens = 0
  for (const [at, reference] of references.entries()) {
    const place = places[at]
    left = place
      ? left.filter(({ id }) => id === place.channelId).map((channel) => sameKey(channel, place.keyDigest))
      : left.filter(({ settings }) => settings.sharedObjects)
    if (left.length === 0) throw notFound(reference)
    if (IN_PROMPT.has(reference.kind)) storedTokens += place?.tokens ?? Number.POSITIVE_INFINITY
  }
  return { channels: poolOf(left), storedTokens }
}

const SHOWN_ID_MAX = 100

/** Returns the error for an object that the user did not create. */
export function notFound({ kind, id, field }: Reference): GatewayError {
  const shown = id.slice(0, SHOWN_ID_MAX)
  if (kind === 'message') return new GatewayError('THREAD_NOT_FOUND', { id: shown })
  const code = kind === 'response' ? 'previous_response_not_found' : 'stored_object_not_found'
  return new GatewayError('STORED_OBJECT_NOT_FOUND', { field, id: shown, param: field, code })
}
