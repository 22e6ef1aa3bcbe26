import { GatewayError } from '../../../core/errors.ts'
import type { ConversationStore } from '../../../core/responses/conversations.ts'
import {
  outputOf,
  type ResponseOwner,
  type ResponseStore,
  type StoredResponse,
} from '../../../core/responses/responses.ts'
import type { ObjectPlace } from '../../../core/stored-objects.ts'
import type { Json } from '../json.ts'
import { referredId, replayItem } from './replay.ts'

/** The stored content that a request continues. */
export interface Context {
  /** All earlier items, oldest first, in a form that any upstream accepts. */
  readonly items: readonly Json[]
  /** Stored items to which the request's input refers, by id. */
  readonly referred: ReadonlyMap<string, readonly Json[]>
  /** Ids of the database rows that contain the context. */
  readonly rows: readonly number[]
  /** The upstream account that has the whole context. Undefined if no account has it. */
  readonly place: ObjectPlace | undefined
  /** Names of content that was too large to be stored. */
  readonly omitted: readonly string[]
}

/** The stored content to which a request refers. */
export interface Pointers {
  /** Id of the response that the request continues. */
  readonly previousId?: string | undefined
  readonly conversationId?: string | undefined
  /** Ids of stored items to which items of the input refer. */
  readonly ids: readonly string[]
}

/**
 * Loads the context of a request. Returns undefined if the gateway has not stored the whole context. Throws
 * CONTEXT_TOO_LONG, CONVERSATION_NOT_FOUND, DATABASE_UNAVAILABLE.
 */
export async function contextOf(
  { responses, conversations }: { responses: ResponseStore; conversations: ConversationStore },
  owner: ResponseOwner,
  { previousId, conversationId, ids }: Pointers,
): Promise<Context | undefined> {
  const chain = previousId === undefined ? [] : await responses.findChain(owner, previousId)
  if (!chain) return undefined
  const conversationRows = conversationId === undefined ? [] : await rowsOfConversation(conversationId)
  const rows = [...conversationRows, ...chain]
  const referredIds = rows.flatMap(({ input }) => input.flatMap((item) => referredId(item) ?? []))
  const storedItems = await responses.findItems(owner, [...new Set([...ids, ...referredIds])])
  if (conversationId === undefined && rows.length === 0 && storedItems.size === 0) return undefined
  const itemOf = (id: string): Json[] | undefined => {
    const stored = storedItems.get(id)
    return stored && replayItem(stored.item, { isForeign: stored.row.place !== undefined })
  }
  const items: Json[] = []
  for (const row of rows) {
    const rowItems = itemsOf(row, itemOf)
    if (!rowItems) return undefined
    items.push(...rowItems)
  }
  const sources = [...rows, ...[...storedItems.values()].map(({ row }) => row)]
  return {
    items,
    referred: new Map(ids.flatMap((id) => (storedItems.has(id) ? [[id, itemOf(id) ?? []] as const] : []))),
    rows: [...new Set(sources.map(({ rowId }) => rowId))],
    place: conversationId === undefined ? commonPlace(sources) : undefined,
    omitted: rows.flatMap(({ omitted }) => omitted),
  }

  async function rowsOfConversation(id: string): Promise<StoredResponse[]> {
    if (!(await conversations.find(owner, id)))
      throw new GatewayError('CONVERSATION_NOT_FOUND', { id: id.slice(0, 100) })
    return responses.findConversation(owner, id)
  }
}

/**
 * Returns the items of a response and of its input. Returns undefined if an item to which the input refers is missing.
 */
function itemsOf(row: StoredResponse, itemOf: (id: string) => Json[] | undefined): Json[] | undefined {
  const items: Json[] = []
  for (const item of row.input) {
    const id = referredId(item)
    const replayedItems = id === undefined ? replayItem(item, { isForeign: false }) : itemOf(id)
    // Only reasoning may be omitted if it cannot be replayed.
    if (!replayedItems && item.type !== 'reasoning') return undefined
    items.push(...(replayedItems ?? []))
  }
  for (const item of outputOf(row)) items.push(...replayItem(item, { isForeign: row.place !== undefined }))
  return items
}

function commonPlace(rows: readonly StoredResponse[]): ObjectPlace | undefined {
  const place = rows[0]?.place
  const isSame = ({ place: other }: StoredResponse) =>
    other?.channelId === place?.channelId && other?.keyDigest === place?.keyDigest
  return rows.every(isSame) ? place : undefined
}
