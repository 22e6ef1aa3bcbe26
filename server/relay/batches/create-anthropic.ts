import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RelayHealth } from '../../../core/channels/health/relay-health.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { candidatesOf, type Pool, pickChannel, poolOf } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { errorText } from '../../../core/messages/messages.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { pricedName } from '../../../core/pricing/names.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { Slices } from '../../slices.ts'
import { forwardedHeaders, parseBody } from '../admission/admission.ts'
import type { Caller } from '../admission/authenticate.ts'
import { relayLanguageOf } from '../admission/body-refusal.ts'
import { IDEMPOTENCY_HEADER } from '../admission/idempotency.ts'
import { withKnownBetas } from '../attempt/betas.ts'
import { requestEchoOf } from '../attempt/request-echo.ts'
import { refuse } from '../dialects/refuse.ts'
import type { Json } from '../json.ts'
import { messagesEntry } from '../paths/anthropic.ts'
import { unsupported } from '../providers/plan-errors.ts'
import { unavailableError } from '../routing/set-aside.ts'
import type { SubmissionAbort } from '../tasks/running.ts'
import { admitBatchRequest, bodyForUpstream, serves } from './admit-request.ts'
import { REQUEST_ERROR_KINDS } from './create-openai.ts'
import { createdMessageBatch } from './created.ts'
import type { BatchParts } from './parts.ts'
import { type BatchCharge, BatchHold, createOnce, submitBatch } from './submit.ts'
import { BatchSum, RequestIds } from './sum.ts'
import { UpstreamFailure } from './upstream.ts'

/** Limit of Anthropic's API: https://platform.claude.com/docs/en/api/creating-message-batches */
const REQUESTS_MAX = 100_000
const CUSTOM_ID = /^[a-zA-Z0-9_-]{1,64}$/
const WINDOW_S = 24 * 3600
const SUBMIT_TIMEOUT_MS = 5 * 60_000

interface AdmittedBatch {
  /** The client's requests, without their admissions, which would take too much memory. */
  readonly requests: readonly MessageRequest[]
  readonly sum: BatchSum
  /** The channel pools of all requests. Each has the channels that may serve a request. */
  readonly pools: ReadonlySet<Pool<LiveChannel>>
}

interface MessageRequest {
  readonly customId: string
  readonly params: Json
}

/**
 * Creates a batch of messages. Admits each request, holds the maximum cost, and submits the requests to a channel that
 * can serve all of them. Stores the charge and the batch's row together. Continues if the client disconnects.
 *
 * Returns the upstream's JSON. Throws BATCH_REQUEST_INVALID, INSUFFICIENT_*, UpstreamFailure and others.
 */
export async function createMessageBatch(
  request: FastifyRequest,
  { reply, caller, cut }: { reply: FastifyReply; caller: Caller; cut: SubmissionAbort },
  parts: BatchParts,
): Promise<Buffer> {
  const { requests } = parseBody(request.body as Buffer | undefined)
  if (!Array.isArray(requests) || requests.length === 0) refuse('requests must be a list of requests', 'requests')
  if (requests.length > REQUESTS_MAX) refuse(`a batch can have at most ${REQUESTS_MAX} requests`, 'requests')
  const create = (requestId: string) => createBatch(request, { caller, cut, requestId, requests }, parts)
  return createOnce(request, { reply, caller, create }, parts)
}

interface Creation {
  readonly caller: Caller
  readonly cut: SubmissionAbort
  readonly requestId: string
}

async function createBatch(
  request: FastifyRequest,
  { requests, ...creation }: Creation & { requests: readonly unknown[] },
  parts: BatchParts,
): Promise<Buffer> {
  const { caller, requestId } = creation
  const startedAt = Date.now()
  const hold = new BatchHold(request, caller, parts.toolkit)
  try {
    await hold.start(recordOf(recordOf(requests[0]).params).model)
    const checked = await checkAll(request, requests)
    const batch = await admitAll(request, { ...creation, requests: checked, hold }, parts)
    const channels = channelsForAll(batch)
    const charge = { requestId, caller, hold: await hold.cover(batch.sum), sum: batch.sum, startedAt }
    return Buffer.from(await submit(request, { ...creation, batch, channels, charge }, parts))
  } finally {
    hold.release()
  }
}

/**
 * Runs cheap checks of all requests, before any request is admitted. Throws BATCH_REQUEST_INVALID with the request's
 * index, which counts from 0, as at Anthropic.
 */
async function checkAll(request: FastifyRequest, requests: readonly unknown[]): Promise<MessageRequest[]> {
  const ids = new RequestIds()
  const slices = new Slices()
  const checked: MessageRequest[] = []
  for (const [index, item] of requests.entries()) {
    try {
      if (!isRecord(item)) refuse('it must be an object')
      const customId = item.custom_id
      if (typeof customId !== 'string' || !CUSTOM_ID.test(customId)) {
        refuse('custom_id must have 1 to 64 letters, digits, hyphens or underscores')
      }
      if (!isRecord(item.params)) refuse('params must be an object')
      ids.add(customId)
      checked.push({ customId, params: item.params })
    } catch (error) {
      throw atIndex(index, error, request)
    }
    await slices.pause()
  }
  return checked
}

/** Admits the requests and holds their maximum cost. Throws BATCH_REQUEST_INVALID, INSUFFICIENT_*. */
async function admitAll(
  request: FastifyRequest,
  { caller, cut, requests, hold }: Creation & { requests: readonly MessageRequest[]; hold: BatchHold },
  parts: BatchParts,
): Promise<AdmittedBatch> {
  const sum = new BatchSum()
  const pools = new Set<Pool<LiveChannel>>()
  const slices = new Slices()
  for (const [index, { customId, params }] of requests.entries()) {
    try {
      const admitted = await admitBatchRequest(params, { request, caller, cut, entry: messagesEntry, slices }, parts)
      sum.add(customId, admitted)
      pools.add(admitted.admitted.channels)
    } catch (error) {
      throw atIndex(index, error, request)
    }
    await slices.pause()
    await hold.coverSometimes(sum, slices)
  }
  return { requests, sum, pools }
}

/** Adds a request's index to an error that the request caused. Returns any other error unchanged. */
function atIndex(index: number, error: unknown, request: FastifyRequest): unknown {
  if (!(error instanceof GatewayError) || !REQUEST_ERROR_KINDS.has(error.kind)) return error
  return new GatewayError(
    'BATCH_REQUEST_INVALID',
    { index, reason: errorText(error, relayLanguageOf(request)) },
    { cause: error },
  )
}

/** Returns the channels that accept batches of messages and can serve all requests. Throws OPERATION_UNSUPPORTED. */
function channelsForAll({ pools, sum }: AdmittedBatch): Pool<LiveChannel> {
  const [first] = pools
  const commonChannels = (first ? candidatesOf(first) : []).filter(
    (channel) => channel.type.batchApi === 'anthropic' && [...pools].every((channels) => serves(channel, { channels })),
  )
  if (commonChannels.length > 0) return poolOf(commonChannels)
  return unsupported(`no channel takes batches of messages for ${sum.model}`)
}

/**
 * Tries healthy channels until one accepts the batch. Stops at a channel that may have accepted the batch. Returns the
 * upstream's JSON.
 */
async function submit(
  request: FastifyRequest,
  submission: Creation & { batch: AdmittedBatch; channels: Pool<LiveChannel>; charge: Omit<BatchCharge, 'channel'> },
  parts: BatchParts,
): Promise<string> {
  const { caller, cut, batch, channels, charge } = submission
  const model = batch.sum.model
  const health = parts.health.begin({
    model: pricedName(model),
    via: 'anthropic-messages',
    pinned: caller.pinnedChannelId > 0,
  })
  const tried = new Set<number>()
  const attemptsMax = 1 + parts.toolkit.options.get(OPTIONS.RetryTimes)
  let lastFailure: UpstreamFailure | undefined
  while (tried.size < attemptsMax) {
    if (cut.cause) throw new GatewayError('STOPPING')
    const picked = pickChannel(channels, (channel) => !tried.has(channel.id) && health.allows(channel), Math.random)
    const channel = picked?.keyName ? picked : picked && health.withKey(picked, Math.random)
    if (!channel) break
    tried.add(channel.id)
    try {
      return await submitTo(request, { cut, batch, health, charge: { ...charge, channel } }, parts)
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      lastFailure = error
      const { status, message } = error.failure
      parts.logger.warn(
        { requestId: request.id, channel: channel.id, model, status, reason: message },
        'a batch was not accepted',
      )
      if (error.isUnknown || error.failure.retry === 'never') break
    }
  }
  throw lastFailure ?? unavailableError(health, channels, { passed: [...tried], model }) ?? new GatewayError('STOPPING')
}

async function submitTo(
  request: FastifyRequest,
  attempt: { cut: SubmissionAbort; batch: AdmittedBatch; health: RelayHealth; charge: BatchCharge },
  parts: BatchParts,
): Promise<string> {
  const { cut, batch, health, charge } = attempt
  const { channel, caller } = charge
  const requestTexts: string[] = []
  const slices = new Slices()
  for (const { customId, params: body } of batch.requests) {
    const { admitted } = await admitBatchRequest(body, { request, caller, cut, entry: messagesEntry, slices }, parts)
    const params = await bodyForUpstream(admitted, channel, { cut, links: parts.links })
    requestTexts.push(`{"custom_id":${JSON.stringify(customId)},"params":${params}}`)
    await slices.pause()
  }
  const { [IDEMPOTENCY_HEADER]: _, ...forwarded } = forwardedHeaders(request, caller)
  const send = async () => {
    const healthAttempt = health.attempt(channel)
    try {
      const created = await parts.upstream.call(channel, {
        method: 'POST',
        path: '/v1/messages/batches',
        body: `{"requests":[${requestTexts.join(',')}]}`,
        forwarded: withKnownBetas(forwarded, channel.settings),
        timeoutMs: SUBMIT_TIMEOUT_MS,
        cut,
      })
      healthAttempt.succeeded()
      return createdMessageBatch(created)
    } catch (error) {
      if (error instanceof UpstreamFailure && !cut.cause) {
        const { requests, sum } = batch
        healthAttempt.failed(error.failure, () => requestEchoOf({ body: { requests } }, [sum.model]))
      } else healthAttempt.abandoned()
      throw error
    }
  }
  const expiresAt = Math.floor(charge.startedAt / 1000) + WINDOW_S
  const submission = { ...MESSAGES_SUBMISSION, expiresAt }
  return (await submitBatch(submission, charge, send, parts)).body
}

const MESSAGES_SUBMISSION = { api: 'anthropic', endpoint: '/v1/messages', inputFileId: '', sentFileId: '' } as const
