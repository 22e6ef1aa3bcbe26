import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { GatewayError } from '../../../core/errors.ts'
import { isRecord } from '../../../core/records.ts'
import type { JsonObject, ResponseOwner } from '../../../core/responses/responses.ts'
import { RESPONSE_BYTES_MAX } from '../../../core/responses/responses.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { parseBody } from '../admission/admission.ts'
import type { Caller } from '../admission/authenticate.ts'
import { newItemId } from '../conversation/envelope.ts'
import { relayRoute } from '../described.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, textOf } from '../json.ts'
import { type ListedItem, listedInput, listedOutput, type PageQuery, toItemPage } from './listing.ts'
import { itemsOfInput, referredId } from './replay.ts'
import { ownerOfRequest, setOmittedHeader } from './routes.ts'

const CONFIG = { dialect: 'openai-responses', sender: 'free' } as const
const ITEMS_MAX = 20
const SHOWN_ID_MAX = 100
/**
 * Maximum number of pairs, and maximum characters of a key and of a value:
 * https://platform.openai.com/docs/api-reference/conversations/create
 */
const METADATA_MAX = { pairs: 16, key: 64, value: 512 }

type ById = { Params: { id: string } }
type ByItem = { Params: { id: string; item: string } }

/** The routes for OpenAI's conversations: https://platform.openai.com/docs/api-reference/conversations */
export const conversationPaths: FastifyPluginAsync<{ toolkit: LocalToolkit }> = async (app, { toolkit }) => {
  const { conversations, responses } = toolkit

  async function getConversation(request: FastifyRequest<ById>) {
    const owner = await ownerOfRequest(toolkit, request)
    const { id } = request.params
    const conversation = await conversations.find(owner, id)
    if (!conversation) throw notFound(id)
    return { owner, id, conversation }
  }

  /** Adds items to a conversation. Returns them in the format of lists. */
  async function add(owner: ResponseOwner, conversationId: string, items: readonly Json[]): Promise<ListedItem[]> {
    const input = items.map((item) => ({ ...item, id: textOf(item.id) ?? newItemId('msg') })) as JsonObject[]
    const isStored = await responses.add(owner, { id: newItemId('itm'), conversationId, input })
    if (!isStored) throw new GatewayError('REQUEST_TOO_LARGE', { max: RESPONSE_BYTES_MAX })
    return listedInput({ rowId: 0, input }, new Map())
  }

  async function listItems(owner: ResponseOwner, id: string): Promise<{ items: ListedItem[]; omitted: string[] }> {
    const rows = await responses.findConversation(owner, id)
    const ids = rows.flatMap(({ input }) => input.flatMap((item) => referredId(item) ?? []))
    const referred = await responses.findItems(owner, ids)
    const items = rows.flatMap((row) => [...listedInput(row, referred), ...listedOutput(row)])
    return { items, omitted: rows.flatMap(({ omitted }) => omitted) }
  }

  app.post('/v1/conversations', relayRoute('Creates a conversation', CONFIG), async (request) => {
    const { token } = request.caller as Caller
    if (!token.storesResponses || !responses.isOn())
      throw new GatewayError('RESPONSES_NOT_STORED', { field: 'conversation' })
    const owner = await ownerOfRequest(toolkit, request)
    const body = bodyOf(request)
    const metadata = metadataOf(body)
    const items = body.items === undefined || body.items === null ? [] : itemsIn(body)
    const id = newItemId('conv')
    // Add the items first. If the items are rejected, no conversation remains.
    if (items.length > 0) await add(owner, id, items)
    const { createdAt } = await conversations.create(owner, id, metadata)
    return conversationReply(id, { createdAt, metadata })
  })
  app.get<ById>('/v1/conversations/:id', relayRoute('A conversation', CONFIG), async (request) => {
    const { id, conversation } = await getConversation(request)
    return conversationReply(id, conversation)
  })
  app.post<ById>(
    '/v1/conversations/:id',
    relayRoute('Changes the metadata of a conversation', CONFIG),
    async (request) => {
      const { owner, id, conversation } = await getConversation(request)
      const metadata = metadataOf(bodyOf(request))
      if (!(await conversations.update(owner, id, metadata))) throw notFound(id)
      return conversationReply(id, { ...conversation, metadata })
    },
  )
  app.delete<ById>(
    '/v1/conversations/:id',
    relayRoute('Deletes a conversation with its items', CONFIG),
    async (request) => {
      const { id } = request.params
      if (!(await conversations.delete(await ownerOfRequest(toolkit, request), id))) throw notFound(id)
      return { id, object: 'conversation.deleted', deleted: true }
    },
  )
  app.get<ById & { Querystring: PageQuery }>(
    '/v1/conversations/:id/items',
    relayRoute('The items of a conversation', CONFIG),
    async (request, reply) => {
      const { owner, id } = await getConversation(request)
      const { items, omitted } = await listItems(owner, id)
      setOmittedHeader(reply, omitted)
      return toItemPage(items, request.query)
    },
  )
  app.post<ById>('/v1/conversations/:id/items', relayRoute('Adds items to a conversation', CONFIG), async (request) => {
    const { owner, id } = await getConversation(request)
    return toItemPage(await add(owner, id, itemsIn(bodyOf(request))), { order: 'asc' })
  })
  app.get<ByItem>(
    '/v1/conversations/:id/items/:item',
    relayRoute('An item of a conversation', CONFIG),
    async (request) => {
      const { owner, id } = await getConversation(request)
      const { items } = await listItems(owner, id)
      const item = items.find((one) => one.id === request.params.item)
      if (!item) throw itemNotFound(request.params.item)
      return item
    },
  )
  app.delete<ByItem>(
    '/v1/conversations/:id/items/:item',
    relayRoute('Deletes an item of a conversation', CONFIG),
    async (request) => {
      const { owner, id, conversation } = await getConversation(request)
      const { item } = request.params
      const rows = await responses.findConversation(owner, id)
      const row = rows.find((one) =>
        [...listedInput(one, new Map()), ...listedOutput(one)].some((listed) => listed.id === item),
      )
      if (!row) throw itemNotFound(item)
      await responses.edit(owner, { rowId: row.rowId }, (content) => {
        const current = { ...row, ...content }
        // Store the listed ids. Otherwise the ids would change, because they derive from the items' positions.
        const input = listedInput(current, new Map()).filter((listed) => listed.id !== item)
        if (!content.response) return { ...content, input }
        const output = listedOutput(current).filter((listed) => listed.id !== item)
        return { ...content, input, response: { ...content.response, output } }
      })
      return conversationReply(id, conversation)
    },
  )
}

function conversationReply(id: string, { createdAt, metadata }: { createdAt: number; metadata: JsonObject }): Json {
  return { id, object: 'conversation', created_at: createdAt, metadata }
}

/** Returns the parsed body, or `{}` if it is empty. Throws REQUEST_MALFORMED. */
function bodyOf({ body }: FastifyRequest): Json {
  return Buffer.isBuffer(body) && body.length > 0 ? parseBody(body) : {}
}

function itemsIn({ items }: Json): Json[] {
  const isList = Array.isArray(items) && items.length > 0 && items.length <= ITEMS_MAX && items.every(isRecord)
  if (!isList) refuse(`items must be an array of 1 to ${ITEMS_MAX} items`, 'items')
  return itemsOfInput(items)
}

function metadataOf({ metadata }: Json): JsonObject {
  if (metadata === undefined || metadata === null) return {}
  const { pairs, key, value } = METADATA_MAX
  const isSmall =
    isRecord(metadata) &&
    Object.keys(metadata).length <= pairs &&
    Object.entries(metadata).every(
      ([name, text]) => name.length <= key && typeof text === 'string' && text.length <= value,
    )
  if (!isSmall) {
    refuse(
      `metadata must be an object of up to ${pairs} texts, with keys up to ${key} and texts up to ${value} characters`,
      'metadata',
    )
  }
  return metadata
}

function notFound(id: string): GatewayError {
  return new GatewayError('CONVERSATION_NOT_FOUND', { id: id.slice(0, SHOWN_ID_MAX) })
}

function itemNotFound(id: string): GatewayError {
  return new GatewayError('STORED_OBJECT_NOT_FOUND', {
    field: 'item',
    id: id.slice(0, SHOWN_ID_MAX),
    code: 'item_not_found',
  })
}
