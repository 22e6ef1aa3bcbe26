import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { StoredFile } from '../../../core/batches/files.ts'
import { withStoredKey } from '../../../core/channels/keys/key-ring.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { recordOf } from '../../../core/records.ts'
import { objectOwnerOf } from '../admission/authenticate.ts'
import { refusal } from '../batches/admit-request.ts'
import { sendBody, withFailures } from '../batches/answer.ts'
import type { BatchParts } from '../batches/parts.ts'
import { removeFile } from '../batches/remove-file.ts'
import { filePath, requirePaid } from '../batches/settle.ts'
import { uploadFile } from '../batches/upload-file.ts'
import { UpstreamFailure } from '../batches/upstream.ts'
import { relayRouteSchema } from '../described.ts'
import { type Json, textOf } from '../json.ts'
import { callerOf } from '../tasks/submission.ts'

const DIALECT = { dialect: 'openai-chat' } as const
const LIST_MAX = 10_000
const SHOWN_ID_MAX = 100
const NOT_FOUND_STATUS = 404

type ById = { Params: { id: string } }
/** The query of the list. A repeated parameter has a list as its value, so values are unknown. */
type ListQuery = Partial<Record<'after' | 'limit' | 'order' | 'purpose', unknown>>

/** The routes for OpenAI's files: https://platform.openai.com/docs/api-reference/files */
export const filePaths: FastifyPluginAsync<BatchParts> = async (app, parts) => {
  const { toolkit, submissions, upstream, directory, logger } = parts

  /** Returns a file of the caller. Throws FILE_NOT_FOUND, even if another user has the file. */
  async function getOwnFile(request: FastifyRequest<ById>): Promise<StoredFile> {
    const owner = objectOwnerOf(await openAiCaller(request))
    const { id } = request.params
    const file = await toolkit.upstreamFiles.find(owner, id)
    if (!file) throw new GatewayError('FILE_NOT_FOUND', { id: id.slice(0, SHOWN_ID_MAX) })
    return file
  }

  /**
   * Returns the caller. Throws NOT_IMPLEMENTED for Anthropic's clients, because Anthropic's API has different files at
   * the same paths.
   */
  async function openAiCaller(request: FastifyRequest, { free = true }: { free?: boolean } = {}) {
    const caller = await callerOf(toolkit, request, { free })
    if (request.headers['anthropic-version'] !== undefined) throw new GatewayError('NOT_IMPLEMENTED')
    return caller
  }

  app.post('/v1/files', { schema: relayRouteSchema("Uploads a file, in OpenAI's format") }, (request, reply) =>
    withFailures({ request, reply, logger, ...DIALECT }, async () => {
      // Reject exhausted keys, because they cannot use a file, but their files would fill the operator's account.
      const caller = await openAiCaller(request, { free: false })
      return submissions.run((cut) => uploadFile(request, { caller, cut }, parts))
    }),
  )
  app.get<{ Querystring: ListQuery }>(
    '/v1/files',
    { schema: relayRouteSchema("The user's files") },
    async (request) => {
      const owner = objectOwnerOf(await openAiCaller(request))
      const { after, order, purpose } = request.query
      const limit = listLimitOf(request.query.limit, { max: LIST_MAX, usual: LIST_MAX })
      const page = { after: textOf(after), purpose: textOf(purpose), limit, isAscending: order === 'asc' }
      const { items, hasMore } = await toolkit.upstreamFiles.list(owner, page)
      return toOpenAiList(items.map(fileReply), hasMore)
    },
  )
  app.get<ById>('/v1/files/:id', { schema: relayRouteSchema('A file of the user') }, async (request) => {
    const file = await getOwnFile(request)
    const channel = directory.find(file.channelId)
    if (!channel) return fileReply(file)
    try {
      const ask = { method: 'GET', path: filePath(file.fileId) } as const
      const upstreamFile = await upstream.call(withStoredKey(channel, file.keyDigest), ask)
      await toolkit.upstreamFiles.describe(file.id, JSON.stringify(upstreamFile))
      return upstreamFile
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      // The file was deleted at the upstream, or it has expired.
      if (error.failure.status === NOT_FOUND_STATUS) throw new GatewayError('FILE_NOT_FOUND', { id: file.fileId })
      return fileReply(file)
    }
  })
  app.delete<ById>('/v1/files/:id', { schema: relayRouteSchema('Deletes a file of the user') }, (request, reply) =>
    withFailures({ request, reply, logger, ...DIALECT }, async () => {
      const file = await getOwnFile(request)
      await removeFile(file, parts)
      return { id: file.fileId, object: 'file', deleted: true }
    }),
  )
  app.get<ById>(
    '/v1/files/:id/content',
    { schema: relayRouteSchema('The content of a file of the user') },
    (request, reply) =>
      withFailures({ request, reply, logger, ...DIALECT }, async () => {
        const file = await getOwnFile(request)
        const batch = file.batchRow > 0 ? await toolkit.batches.get(file.batchRow) : undefined
        if (batch) requirePaid(batch)
        // Read even from a disabled channel, because the results are already paid for.
        const channel = directory.find(file.channelId)
        if (!channel) throw new GatewayError('BATCH_CHANNEL_GONE', { id: file.fileId })
        const ask = { method: 'GET', path: filePath(file.fileId, '/content') } as const
        const content = await upstream.open(withStoredKey(channel, file.keyDigest), ask)
        return sendBody(reply, content, 'application/octet-stream')
      }),
  )
}

function fileReply({ fileId, purpose, createdAt, body }: StoredFile): Json {
  return { id: fileId, object: 'file', purpose, created_at: createdAt, ...recordOf(parseObject(body)) }
}

export function toOpenAiList(data: readonly Json[], has_more: boolean): Json {
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more }
}

/** Returns the `limit` of a query, or `usual` if the limit is missing or empty. Throws REQUEST_MALFORMED. */
export function listLimitOf(text: unknown, { max, usual }: { max: number; usual: number }): number {
  if (text === undefined || text === '') return usual
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit
  throw refusal(`limit must be a whole number from 1 to ${max}`, 'limit')
}
