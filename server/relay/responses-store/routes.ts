import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { GatewayError } from '../../../core/errors.ts'
import { outputOf, type StoredResponse } from '../../../core/responses/responses.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { queryOf } from '../admission/admission.ts'
import { apiKeyOf, identifyCaller } from '../admission/authenticate.ts'
import { relayRoute } from '../described.ts'
import { refuse } from '../dialects/refuse.ts'
import { OMITTED_HEADER, omittedValue } from '../hosted/omitted.ts'
import { textOf } from '../json.ts'
import { cancelResponse, failedAfterStop } from './background.ts'
import { ownerOf } from './keeper.ts'
import { listedInput, type PageQuery, toItemPage } from './listing.ts'
import { referredId } from './replay.ts'

const CONFIG = { dialect: 'openai-responses', sender: 'free' } as const
const SHOWN_ID_MAX = 100
type ById = { Params: { id: string } }
type Owner = ReturnType<typeof ownerOf>

/**
 * Returns the owner of the request's key. Accepts an exhausted key, because its owner has already paid for the stored
 * responses.
 */
export async function ownerOfRequest(toolkit: LocalToolkit, request: FastifyRequest): Promise<Owner> {
  const key = apiKeyOf(request.headers, queryOf(request))
  return ownerOf(request.caller ?? (await identifyCaller(toolkit, { key, address: request.ip, free: true })))
}

function responseNotFound(id: string): GatewayError {
  return new GatewayError('RESPONSE_NOT_FOUND', { id: id.slice(0, SHOWN_ID_MAX) })
}

/** Adds a header with the names of content that was too large to be stored. */
export function setOmittedHeader(reply: FastifyReply, omitted: readonly string[]): void {
  if (omitted.length > 0) reply.header(OMITTED_HEADER, omittedValue(omitted))
}

/** The routes for OpenAI's stored responses: https://platform.openai.com/docs/api-reference/responses/get */
export const storedResponsePaths: FastifyPluginAsync<{ toolkit: LocalToolkit }> = async (app, { toolkit }) => {
  const { responses } = toolkit

  async function getStored(request: FastifyRequest<ById>): Promise<{ owner: Owner; row: StoredResponse }> {
    const owner = await ownerOfRequest(toolkit, request)
    const row = await responses.find(owner, request.params.id)
    if (!row?.response) throw responseNotFound(request.params.id)
    const isLost = row.nodeId !== '' && !(await responses.isRunning(row.nodeId))
    return { owner, row: isLost ? { ...row, response: failedAfterStop(row.response) } : row }
  }

  app.get<ById & { Querystring: { stream?: string } }>(
    '/v1/responses/:id',
    relayRoute('A stored response', CONFIG),
    async (request, reply) => {
      if (request.query.stream === 'true')
        refuse('a stored response is not streamed again: ask for it without stream', 'stream')
      const { row } = await getStored(request)
      setOmittedHeader(reply, row.omitted)
      return row.response
    },
  )
  app.delete<ById>('/v1/responses/:id', relayRoute('Deletes a stored response', CONFIG), async (request) => {
    const { id } = request.params
    const { owner, row } = await getStored(request)
    if (!(await responses.delete(owner, id))) throw responseNotFound(id)
    // Also forget that the upstream has a copy, so that no request can continue that copy.
    const items = outputOf(row).flatMap((item) => textOf(item.id) ?? [])
    const objects = items.map((item) => ({ kind: 'item' as const, id: item }))
    if (row.place) await toolkit.storedObjects.forget(owner, [{ kind: 'response', id }, ...objects])
    return { id, object: 'response', deleted: true }
  })
  app.get<ById & { Querystring: PageQuery }>(
    '/v1/responses/:id/input_items',
    relayRoute('The input of a stored response', CONFIG),
    async (request, reply) => {
      const { owner, row } = await getStored(request)
      setOmittedHeader(reply, row.omitted)
      const items = await responses.findItems(
        owner,
        row.input.flatMap((item) => referredId(item) ?? []),
      )
      return toItemPage(listedInput(row, items), request.query)
    },
  )
  app.post<ById>(
    '/v1/responses/:id/cancel',
    relayRoute('Cancels a response in the background', CONFIG),
    async (request) => {
      const { id } = request.params
      const row = await cancelResponse(toolkit, await ownerOfRequest(toolkit, request), id)
      if (!row?.response) throw responseNotFound(id)
      return row.response
    },
  )
}
