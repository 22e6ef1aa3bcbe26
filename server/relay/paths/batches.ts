import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { StoredBatch } from '../../../core/batches/rows.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { recordOf } from '../../../core/records.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { objectOwnerOf } from '../admission/authenticate.ts'
import { sendBody, withFailures } from '../batches/answer.ts'
import { createMessageBatch } from '../batches/create-anthropic.ts'
import { createOpenAiBatch } from '../batches/create-openai.ts'
import type { BatchParts } from '../batches/parts.ts'
import { deleteAtUpstream } from '../batches/remove-file.ts'
import {
  advanceBatch,
  channelOfBatch,
  getChannelOf,
  hasEnded,
  pathOfBatch,
  refreshBatch,
  requirePaid,
} from '../batches/settle.ts'
import { UpstreamFailure } from '../batches/upstream.ts'
import { relayRoute } from '../described.ts'
import { type Json, textOf } from '../json.ts'
import { callerOf } from '../tasks/submission.ts'
import { listLimitOf, toOpenAiList } from './files.ts'

const OPENAI = { dialect: 'openai-chat' } as const
const ANTHROPIC = { dialect: 'anthropic-messages' } as const
/** The maximum and default `limit` of a list. */
const OPENAI_LIST = { max: 100, usual: 20 }
const ANTHROPIC_LIST = { max: 1000, usual: 20 }
/** Maximum number of an id's characters in an error. */
const SHOWN_ID_MAX = 100

type ById = { Params: { id: string } }
/** The query of a list. Values are unknown, because the value of a repeated parameter is a list. */
type ListQuery = Partial<Record<'after' | 'after_id' | 'before_id' | 'limit', unknown>>

/**
 * The routes for OpenAI's batches (https://platform.openai.com/docs/api-reference/batch) and Anthropic's message
 * batches (https://platform.claude.com/docs/en/api/creating-message-batches).
 */
export const batchPaths: FastifyPluginAsync<BatchParts> = async (app, parts) => {
  openAiRoutes(app, parts)
  anthropicRoutes(app, parts)
}

type App = Parameters<typeof batchPaths>[0]

function openAiRoutes(app: App, parts: BatchParts): void {
  const { toolkit, submissions, logger } = parts
  app.post('/v1/batches', relayRoute("Creates a batch, in OpenAI's format"), (request, reply) =>
    withFailures({ request, reply, logger, ...OPENAI }, async () => {
      const caller = await callerOf(toolkit, request)
      return submissions.run((cut) => createOpenAiBatch(request, { reply, caller, cut }, parts))
    }),
  )
  app.get<{ Querystring: ListQuery }>('/v1/batches', relayRoute("The user's batches"), async (request) => {
    const owner = objectOwnerOf(await callerOf(toolkit, request, { free: true }))
    const page = { after: textOf(request.query.after), limit: listLimitOf(request.query.limit, OPENAI_LIST) }
    const { items, hasMore } = await toolkit.batches.list(owner, 'openai', page)
    return toOpenAiList(items.map(bodyOf), hasMore)
  })
  app.get<ById>('/v1/batches/:id', relayRoute('A batch of the user'), async (request) =>
    bodyOf(await currentBatch(await getOwnBatch(toolkit, request, 'openai'), parts)),
  )
  app.post<ById>(
    '/v1/batches/:id/cancel',
    relayRoute('Cancels a batch of the user', { sender: 'free' }),
    (request, reply) => cancelRoute(request, reply, { ...OPENAI, api: 'openai' }, parts),
  )
}

function anthropicRoutes(app: App, parts: BatchParts): void {
  const { toolkit, submissions, upstream, logger } = parts
  const route = (summary: string) => relayRoute(summary, ANTHROPIC)
  app.post('/v1/messages/batches', route("Creates a batch of messages, in Anthropic's format"), (request, reply) =>
    withFailures({ request, reply, logger, ...ANTHROPIC }, async () => {
      const caller = await callerOf(toolkit, request)
      const created = await submissions.run((cut) => createMessageBatch(request, { reply, caller, cut }, parts))
      return withGatewayUrl(recordOf(parseObject(created.toString('utf8'))), request)
    }),
  )
  app.get<{ Querystring: ListQuery }>(
    '/v1/messages/batches',
    route("The user's batches of messages"),
    async (request) => {
      const owner = objectOwnerOf(await callerOf(toolkit, request, { free: true }))
      const { after_id, before_id, limit } = request.query
      const page = { after: textOf(after_id), before: textOf(before_id), limit: listLimitOf(limit, ANTHROPIC_LIST) }
      const { items, hasMore } = await toolkit.batches.list(owner, 'anthropic', page)
      const { object: _, ...list } = toOpenAiList(
        items.map((batch) => withGatewayUrl(bodyOf(batch), request)),
        hasMore,
      )
      return list
    },
  )
  app.get<ById>('/v1/messages/batches/:id', route('A batch of messages of the user'), async (request) => {
    const batch = await currentBatch(await getOwnBatch(toolkit, request, 'anthropic'), parts)
    return withGatewayUrl(bodyOf(batch), request)
  })
  app.post<ById>(
    '/v1/messages/batches/:id/cancel',
    relayRoute('Cancels a batch of messages of the user', { ...ANTHROPIC, sender: 'free' }),
    (request, reply) => cancelRoute(request, reply, { ...ANTHROPIC, api: 'anthropic' }, parts),
  )
  app.delete<ById>('/v1/messages/batches/:id', route('Deletes a batch of messages of the user'), (request, reply) =>
    withFailures({ request, reply, logger, ...ANTHROPIC }, async () => {
      const batch = await getOwnBatch(toolkit, request, 'anthropic')
      // Settle first, because the charge is computed from the results, which the upstream deletes, too.
      const settled = batch.settledAt > 0 || (await advanceBatch(batch, parts))
      if (!settled) throw new GatewayError('BATCH_NOT_ENDED', { id: batch.batchId })
      const channel = channelOfBatch(batch, parts)
      if (channel) await deleteAtUpstream(channel, pathOfBatch(batch), parts)
      await toolkit.batches.remove(batch.id)
      return { id: batch.batchId, type: 'message_batch_deleted' }
    }),
  )
  app.get<ById>(
    '/v1/messages/batches/:id/results',
    route('The results of a batch of messages, one JSON object per line'),
    (request, reply) =>
      withFailures({ request, reply, logger, ...ANTHROPIC }, async () => {
        const batch = await getOwnBatch(toolkit, request, 'anthropic')
        requirePaid(batch)
        const ask = { method: 'GET', path: pathOfBatch(batch, '/results') } as const
        const results = await upstream.open(getChannelOf(batch, batch.batchId, parts), ask)
        return sendBody(reply, results, 'application/x-jsonl')
      }),
  )
}

/** Returns a batch of the caller. Throws BATCH_NOT_FOUND, also for a batch of another user. */
async function getOwnBatch(
  toolkit: LocalToolkit,
  request: FastifyRequest<ById>,
  api: StoredBatch['api'],
): Promise<StoredBatch> {
  const owner = objectOwnerOf(await callerOf(toolkit, request, { free: true }))
  const { id } = request.params
  const batch = await toolkit.batches.find(owner, { api, batchId: id })
  if (!batch) throw new GatewayError('BATCH_NOT_FOUND', { id: id.slice(0, SHOWN_ID_MAX) })
  return batch
}

/** Returns the current state of a batch at its upstream. If the upstream is unavailable, returns the stored state. */
async function currentBatch(batch: StoredBatch, parts: BatchParts): Promise<StoredBatch> {
  if (batch.settledAt > 0 || hasEnded(batch)) return batch
  const channel = channelOfBatch(batch, parts)
  if (!channel) {
    await advanceBatch(batch, parts)
    return (await parts.toolkit.batches.get(batch.id)) ?? batch
  }
  try {
    const current = await refreshBatch(batch, channel, parts)
    // An ended batch becomes due, so that the next run of the background job settles it.
    if (hasEnded(current)) await parts.toolkit.batches.claim(batch, Math.floor(Date.now() / 1000))
    return current
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    parts.logger.warn({ batch: batch.batchId, reason: error.failure.message }, 'a batch could not be read')
    return batch
  }
}

function cancelRoute(
  request: FastifyRequest<ById>,
  reply: FastifyReply,
  { api, dialect }: { api: StoredBatch['api']; dialect: (typeof OPENAI | typeof ANTHROPIC)['dialect'] },
  parts: BatchParts,
): Promise<unknown> {
  return withFailures({ request, reply, dialect, logger: parts.logger }, async () => {
    const batch = await getOwnBatch(parts.toolkit, request, api)
    requirePaid(batch)
    const channel = getChannelOf(batch, batch.batchId, parts)
    const answered = await parts.upstream.call(channel, { method: 'POST', path: pathOfBatch(batch, '/cancel') })
    const body = bodyOf(await refreshBatch(batch, channel, { ...parts, answered }))
    return api === 'anthropic' ? withGatewayUrl(body, request) : body
  })
}

function bodyOf({ body }: Pick<StoredBatch, 'body'>): Json {
  return recordOf(parseObject(body))
}

/** Replaces the URL of the results by a URL of the gateway. */
function withGatewayUrl(batch: Json, request: FastifyRequest): Json {
  if (textOf(batch.results_url) === undefined) return batch
  const path = `/v1/messages/batches/${encodeURIComponent(String(batch.id))}/results`
  return { ...batch, results_url: `${request.protocol}://${request.host}${path}` }
}
