import { isOwnThought } from '../conversation/envelope.ts'
import { isObject, type Json, textOf } from '../json.ts'

/** Calls that the client answers, their results, and what is said: any upstream can be told of them. */
const CLIENT_ITEMS = new Set([
  'message',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'compaction',
])

/**
 * A stored item as another request may carry it, to whatever upstream: without the id by which the upstream that made it knows it.
 * `isForeign`: an upstream made it, and only its account can read the thoughts. Nothing for items that only the upstream could go
 * on with.
 */
export function replayed(item: Readonly<Json>, { isForeign }: { isForeign: boolean }): Json[] {
  const { id, status: _, ...rest } = item
  const type = textOf(item.type) ?? 'message'
  if (type === 'reasoning') return isReadable(item, isForeign) ? [{ ...rest, id }] : []
  if (type === 'image_generation_call') return pictureOf(item)
  if (!CLIENT_ITEMS.has(type)) return isForeign ? [] : [{ ...item }]
  // The result of a shell call may name it by this id.
  return [type === 'local_shell_call' ? { ...rest, id } : rest]
}

/** Whether the upstream can read a thought that comes back: it was translated here, or the upstream has encrypted it. */
function isReadable(item: Json, isForeign: boolean): boolean {
  return isOwnThought(item) || (!isForeign && textOf(item.encrypted_content) !== undefined)
}

/** A picture that the model made, which the next request shows to it. */
function pictureOf({ result, output_format }: Readonly<Json>): Json[] {
  const data = textOf(result)
  if (data === undefined) return []
  const image_url = `data:image/${textOf(output_format) ?? 'png'};base64,${data}`
  return [{ type: 'message', role: 'user', content: [{ type: 'input_image', image_url, detail: 'auto' }] }]
}

/** The `input` of a request as items. */
export function itemsOfInput(input: unknown): Json[] {
  if (typeof input === 'string') {
    return input === '' ? [] : [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
  }
  return Array.isArray(input) ? input.filter(isObject) : []
}

/** The id that an item stands for instead of having content of its own; undefined: it has content, or no id. */
export function referredId(item: Readonly<Json>): string | undefined {
  const id = textOf(item.id)
  if (id === undefined) return undefined
  const type = textOf(item.type)
  if (type === 'item_reference') return id
  if (type === 'reasoning') return textOf(item.encrypted_content) === undefined ? id : undefined
  if (type === undefined) return item.role === undefined && item.content === undefined ? id : undefined
  return undefined
}
