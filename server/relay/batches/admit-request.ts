import type { FastifyRequest } from 'fastify'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { candidatesOf } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { Price } from '../../../core/pricing/prices.ts'
import { recordOf } from '../../../core/records.ts'
import { JsonScan, jsonLimits } from '../../bodies/json-scan.ts'
import type { Slices } from '../../slices.ts'
import { type Admitted, admit } from '../admission/admission.ts'
import type { Caller } from '../admission/authenticate.ts'
import type { RelayEntry } from '../admission/entry.ts'
import { extractText } from '../admission/extract-text.ts'
import { refuseSensitive } from '../admission/sensitive.ts'
import { withOverrides } from '../attempt/overrides.ts'
import { wantOf } from '../charging/output.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, textOf } from '../json.ts'
import { providerFor } from '../providers/providers.ts'
import { providerRequestOf } from '../routing/ask-of.ts'
import { mappedModel } from '../routing/attempts.ts'
import type { SubmissionAbort } from '../tasks/running.ts'
import type { BatchParts } from './parts.ts'

/** The client's request that creates a batch, with its caller. */
export interface BatchRequester {
  readonly request: FastifyRequest
  readonly caller: Caller
  /** The relay entry for each request in the batch. */
  readonly entry: RelayEntry
  readonly cut: SubmissionAbort
  /** Pauses between the steps of a large request, so that other requests can run. */
  readonly slices: Slices
}

export interface BatchRequest {
  readonly admitted: Admitted
  /** The request's maximum cost in quota. */
  readonly quota: number
  readonly effort: string | undefined
}

/**
 * Admits a request of a batch by the rules of a relay, which check model list, group, channels, price and sensitive
 * words. Throws the errors of `admit`, SENSITIVE_WORDS, and REQUEST_MALFORMED for features that batches do not support.
 */
export async function admitBatchRequest(
  body: Json,
  { request, caller, entry, slices }: BatchRequester,
  parts: BatchParts,
): Promise<BatchRequest> {
  if (body.stream === true) refuse('stream must be false: the results of a batch are read from a file')
  if (body.background === true) refuse('background must be false: a batch runs in the background')
  const raw = Buffer.from(JSON.stringify(body))
  const scan = new JsonScan(jsonLimits(parts.config.bodyItemsMax))
  scan.read(raw)
  await slices.pause()
  const { id, raw: message, headers, ip, url } = request
  const context = { id, raw: message, headers, ip, url, caller, responseKeeper: null }
  const relayRequest = { ...context, body: raw, bodyKeys: scan.keys }
  const admitted = await admit(relayRequest, entry, { ...parts, uploadSlots: parts.slots }, { known: caller })
  if (admitted.hosted) refuse('tools that the upstream runs cannot be used in a batch')
  await refuseSensitive(
    parts,
    () => ({ ...admitted, operation: entry.operation }),
    () => extractText(admitted.body),
  )
  await slices.pause()
  const discounted = { ...admitted, price: discountedPrice(admitted.price, parts) }
  return { admitted: discounted, quota: wantOf(discounted, parts.toolkit).quota, effort: effortOf(admitted.body) }
}

/** Returns a model's price in batches. Discounts the group ratio, because it applies to all parts of the price. */
function discountedPrice(price: Price, { toolkit: { options } }: Pick<BatchParts, 'toolkit'>): Price {
  return { ...price, groupRatio: price.groupRatio * options.get(OPTIONS.BatchPriceRatio) }
}

const EFFORT_LENGTH_MAX = 16

function effortOf(body: Readonly<Json>): string | undefined {
  const effort =
    textOf(body.reasoning_effort) ??
    textOf(recordOf(body.reasoning).effort) ??
    textOf(recordOf(body.output_config).effort)
  return effort?.slice(0, EFFORT_LENGTH_MAX)
}

/** Whether a channel, with its key if it has several, may serve an admitted request. */
export function serves(channel: LiveChannel, { channels }: Pick<Admitted, 'channels'>): boolean {
  return candidatesOf(channels).some(
    ({ id, keyName }) => id === channel.id && (!keyName || keyName.digest === channel.keyName?.digest),
  )
}

/**
 * Returns the body of a request for a channel, with the channel's model mapping and overrides. Throws the errors of
 * `Provider.plan`, and OPERATION_UNSUPPORTED if the upstream uses another format than the client.
 */
export async function bodyForUpstream(
  admitted: Admitted,
  channel: LiveChannel,
  { cut, links }: Pick<BatchRequester, 'cut'> & Pick<BatchParts, 'links'>,
): Promise<string> {
  const model = mappedModel(admitted.model, channel.modelMapping)
  const ask = providerRequestOf(admitted, channel, { model, limit: undefined })
  const plan = await providerFor(channel.type).plan(ask, channel, links.providerContextFor(channel, cut))
  if (!plan.native) {
    const reason = `the channel does not serve ${admitted.model} in this format, and batches are not translated`
    throw new GatewayError('OPERATION_UNSUPPORTED', { reason })
  }
  const { body } = withOverrides(plan.request, { ask, channel, native: true })
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) throw new Error('A request of a batch has a JSON body')
  return body.toString()
}
