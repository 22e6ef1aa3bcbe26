import { createHash } from 'node:crypto'
import { outputOf, type StoredResponse } from '../../../core/responses/responses.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, textOf } from '../json.ts'
import { referredId } from './replay.ts'

const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

export interface PageQuery {
  readonly limit?: string
  readonly order?: string
  readonly after?: string
}

export type ListedItem = Json & { id: string }

/**
 * Returns a page of items in OpenAI's format. The newest come first unless `order` is `asc`. Throws REQUEST_MALFORMED.
 */
export function toItemPage(items: readonly ListedItem[], { limit, order = 'desc', after }: PageQuery): Json {
  const size = limit === undefined ? LIMIT_DEFAULT : Number(limit)
  if (!Number.isInteger(size) || size < 1 || size > LIMIT_MAX)
    refuse(`limit must be a whole number from 1 to ${LIMIT_MAX}`, 'limit')
  if (order !== 'asc' && order !== 'desc') refuse('order must be asc or desc', 'order')
  const ordered = order === 'asc' ? items : [...items].reverse()
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) refuse('after names no item of this list', 'after')
  const data = ordered.slice(start, start + size)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + size < ordered.length,
  }
}

/**
 * Returns the input items of a response, each with content and id. `items` contains the items to which the input
 * refers.
 */
export function listedInput(
  row: Pick<StoredResponse, 'rowId' | 'input'>,
  items: ReadonlyMap<string, { item: Readonly<Json> }>,
): ListedItem[] {
  return row.input.map((item, at) => {
    const id = referredId(item)
    return toListedItem((id === undefined ? undefined : items.get(id)?.item) ?? item, `${row.rowId} ${at}`)
  })
}

export function listedOutput(row: StoredResponse): ListedItem[] {
  return outputOf(row).map((item, at) => toListedItem(item, `${row.rowId} output ${at}`))
}

/**
 * Converts an item to the format of lists. Derives a missing id from the item's position, so that the id is always the
 * same.
 */
function toListedItem(item: Readonly<Json>, position: string): ListedItem {
  const { content } = item
  const type = textOf(item.type) ?? 'message'
  const id = textOf(item.id) ?? `msg_${createHash('sha256').update(position).digest('hex').slice(0, 32)}`
  const isText = typeof content === 'string'
  const part =
    item.role === 'assistant'
      ? { type: 'output_text', text: content, annotations: [] }
      : { type: 'input_text', text: content }
  return {
    ...item,
    id,
    type,
    ...(type === 'message' && item.status === undefined && { status: 'completed' }),
    ...(isText && { content: [part] }),
  }
}
