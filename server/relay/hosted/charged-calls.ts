import type { Pricing } from '../../../core/pricing/pricing.ts'
import type { PricedCalls } from '../../../core/pricing/tool-prices.ts'
import type { AnsweredRelay, End } from '../charging/charge.ts'
import { isGoogle, type PricedUse, sellerOf } from './admit-hosted.ts'
import { baseOf } from './read-tokens.ts'

/** Names of the web search tools of upstreams. */
const SEARCHES = new Set(['web_search', 'web_search_preview', 'google_search', 'openrouter:web_search'])
/** Matches models for which Google charges each query. Before Gemini 3, Google charges once per prompt. */
const PER_QUERY = /gemini-([3-9]|\d\d)/

type Relay = Pick<AnsweredRelay, 'admitted' | 'served' | 'meter' | 'completedAfterDisconnect'>

/** Returns a reply's billable calls of hosted tools, both those that the upstream reported and others. */
export function chargedCalls(relay: Relay, end: End, pricing: Pick<Pricing, 'toolPrice'>): readonly PricedCalls[] {
  const { admitted, meter } = relay
  const uses = admitted.hosted?.uses ?? NO_USES
  if (uses === NO_USES && meter.hosted === undefined) return NO_CALLS
  const reported = [...(meter.hosted ?? [])].filter(([, calls]) => calls > 0)
  const charged = reported.flatMap(([tool, calls]) => reportedCalls(relay, { tool, calls, uses, pricing }))
  const isReported = (use: PricedUse) =>
    reported.some(([tool]) => baseOf(tool) === baseOf(use.tool) || (isSearch(tool) && isSearch(use.tool)))
  return [
    ...charged,
    ...uses.filter((use) => !isReported(use)).flatMap((use) => unreportedCalls(relay, { use, end, pricing })),
  ]
}
const NO_USES: readonly PricedUse[] = []
const NO_CALLS: readonly PricedCalls[] = []

const isSearch = (tool: string): boolean => SEARCHES.has(baseOf(tool))

function reportedCalls(
  { admitted, served }: Relay,
  report: { tool: string; calls: number; uses: readonly PricedUse[]; pricing: Pick<Pricing, 'toolPrice'> },
): PricedCalls[] {
  const { tool, calls, uses, pricing } = report
  const exact = uses.find((use) => baseOf(use.tool) === baseOf(tool))
  const search = isSearch(tool) ? mostExpensive(uses.filter((use) => isSearch(use.tool))) : undefined
  if (!exact && !search && isIncluded(tool, uses)) return []
  const use = exact ?? search
  const { channel, upstreamModel } = served
  const google = isGoogle(channel, upstreamModel)
  // The tool's name in the reply includes the variant, and its name in the request includes the kind of search.
  const name = tool.includes('/') || google || !use || use.tool === 'google_search' ? tool : use.tool
  const seller = sellerOf(channel, { model: admitted.model, use })
  const hasNoVariant = baseOf(name) === 'image_generation' && !name.includes('/')
  const price = pricing.toolPrice(name, seller, hasNoVariant ? 'highest' : undefined) ?? use?.price
  if (price === undefined) return []
  const isPerPrompt = google && (name === 'google_search' || name === 'google_maps') && !PER_QUERY.test(upstreamModel)
  return [{ tool: name, calls: isPerPrompt ? 1 : calls, price }]
}

/**
 * Whether another tool's price includes the tool. Such tools are the code with which Claude filters search results, and
 * the search of OpenRouter's plugin.
 */
function isIncluded(tool: string, uses: readonly PricedUse[]): boolean {
  if (tool === 'code_execution') return uses.some((use) => /^web_(search|fetch)/.test(use.tool))
  return isSearch(tool) && uses.some((use) => use.tool === 'plugin.web')
}

function mostExpensive(uses: readonly PricedUse[]): PricedUse | undefined {
  return uses.reduce<PricedUse | undefined>((most, use) => (most && most.price >= use.price ? most : use), undefined)
}

/**
 * Returns the calls of a tool that the upstream did not report, because it never reports this tool, or because the
 * client disconnected before the report.
 */
function unreportedCalls(
  { admitted, served, meter, completedAfterDisconnect }: Relay,
  { use, end, pricing }: { use: PricedUse; end: End; pricing: Pick<Pricing, 'toolPrice'> },
): PricedCalls[] {
  const { channel, upstreamModel } = served
  const google = isGoogle(channel, upstreamModel)
  const countCalls = (): number => {
    if (use.unreported === 'always') return use.calls ?? 1
    if (google) return isSearch(use.tool) && end === 'client-gone' && !completedAfterDisconnect ? 1 : 0
    if (!isSearch(use.tool)) return 0
    // A search may have run before the client disconnected, unless the upstream reports each search when it begins.
    const mayHaveSearched =
      use.unreported === 'cited' &&
      end === 'client-gone' &&
      !completedAfterDisconnect &&
      reportsNoSearches(channel.type.family)
    return meter.cites || mayHaveSearched ? 1 : 0
  }
  const count = countCalls()
  if (count === 0) return []
  const tool = google && isSearch(use.tool) ? 'google_search' : use.tool
  const price = pricing.toolPrice(tool, sellerOf(channel, { model: admitted.model, use })) ?? use.price
  return [{ tool, calls: count, price }]
}

/** Whether the upstreams of a family do not report the beginning of a search. Claude's report it. */
const reportsNoSearches = (family: string | undefined): boolean => family !== 'anthropic' && family !== 'bedrock'
