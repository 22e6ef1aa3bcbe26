import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { StoredFile } from '../../../core/batches/files.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { recordOf } from '../../../core/records.ts'
import { objectOwnerOf } from '../admission/authenticate.ts'
import { sendBody, withFailures } from '../batches/answer.ts'
import type { BatchParts } from '../batches/parts.ts'
import { removeFile } from '../batches/remove-file.ts'
import { channelOfBatch, filePath, getChannelOf, requirePaid } from '../batches/settle.ts'
import { uploadFile } from '../batches/upload-file.ts'
import { UpstreamFailure } from '../batches/upstream.ts'
import { relayRoute } from '../described.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, textOf } from '../json.ts'
import { callerOf } from '../tasks/submission.ts'

const DIALECT = { dialect: 'openai-chat' } as const
const LIST_MAX = 10_000
/** Maximum number of an id's characters in an error. */
const SHOWN_ID_MAX = 100
const NOT_FOUND_STATUS = 404

type ById = { Params: { id: string } }
/** The query of the list. Values are unknown, because the value of a repeated parameter is a list. */
type ListQuery = Partial<Record<'after' | 'limit' | 'order' | 'purpose', unknown>>

/** The routes for OpenAI's files: https://platform.openai.com/docs/api-reference/files */
export const filePaths: FastifyPluginAsync<BatchParts> = async (app, parts) => {
  const { toolkit, submissions, upstream, logger } = parts

  /** Returns a file of the caller. Throws FILE_NOT_FOUND, also for a file of another user. */
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

  app.post('/v1/files', relayRoute("Uploads a file, in OpenAI's format"), (request, reply) =>
    withFailures({ request, reply, logger, ...DIALECT }, async () => {
      // An exhausted key cannot use a file, but could fill the operator's account with files.
      const caller = await openAiCaller(request, { free: false })
      return submissions.run((cut) => uploadFile(request, { caller, cut }, parts))
    }),
  )
  app.get<{ Querystring: ListQuery }>('/v1/files', relayRoute("The user's files"), async (request) => {
    const owner = objectOwnerOf(await openAiCaller(request))
    const { after, order, purpose } = request.query
    const limit = listLimitOf(request.query.limit, { max: LIST_MAX, usual: LIST_MAX })
    const page = { after: textOf(after), purpose: textOf(purpose), limit, isAscending: order === 'asc' }
    const { items, hasMore } = await toolkit.upstreamFiles.list(owner, page)
    return toOpenAiList(items.map(fileReply), hasMore)
  })
  app.get<ById>('/v1/files/:id', relayRoute('A file of the user'), async (request) => {
    const file = await getOwnFile(request)
    const channel = channelOfBatch(file, parts)
    if (!channel) return fileReply(file)
    try {
      const upstreamFile = await upstream.call(channel, { method: 'GET', path: filePath(file.fileId) })
      await toolkit.upstreamFiles.describe(file.id, JSON.stringify(upstreamFile))
      return upstreamFile
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error
      // The file was deleted at the upstream, or it has expired.
      if (error.failure.status === NOT_FOUND_STATUS) throw new GatewayError('FILE_NOT_FOUND', { id: file.fileId })
      return fileReply(file)
    }
  })
  app.delete<ById>('/v1/files/:id', relayRoute('Deletes a file of the user'), (request, reply) =>
    withFailures({ request, reply, logger, ...DIALECT }, async () => {
      const file = await getOwnFile(request)
      await removeFile(file, parts)
      return { id: file.fileId, object: 'file', deleted: true }
    }),
  )
  app.get<ById>('/v1/files/:id/content', relayRoute('The content of a file of the user'), (request, reply) =>
    withFailures({ request, reply, logger, ...DIALECT }, async () => {
      const file = await getOwnFile(request)
      const batch = file.batchRow > 0 ? await toolkit.batches.get(file.batchRow) : undefined
      if (batch) requirePaid(batch)
      // A disabled channel serves results, too, because they are already paid for.
      const ask = { method: 'GET', path: filePath(file.fileId, '/content') } as const
      const content = await upstream.open(getChannelOf(file, file.fileId, parts), ask)
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

/** Returns a query's `limit`, or `usual` if it is missing or empty. Throws REQUEST_MALFORMED. */
export function listLimitOf(text: unknown, { max, usual }: { max: number; usual: number }): number {
  if (text === undefined || text === '') return usual
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit
  return refuse(`limit must be a whole number from 1 to ${max}`, 'limit')
}
