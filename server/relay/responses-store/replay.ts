import { isGatewayThought } from '../conversation/envelope.ts'
import { type Json, objectsOf, textOf } from '../json.ts'

/** Types of items that any upstream accepts: messages, and calls of the client's tools with their results. */
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
 * Returns an item without its id, in a form that other upstreams accept. Returns an empty list for an item that the
 * upstream cannot use. Keeps items of unknown types unchanged, unless they are foreign.
 *
 * `isForeign` means that an upstream account stored the item. Only this account can read the item's encrypted
 * reasoning.
 */
export function replayItem(item: Readonly<Json>, { isForeign }: { isForeign: boolean }): Json[] {
  const { id, status: _, ...rest } = item
  const type = textOf(item.type) ?? 'message'
  if (type === 'reasoning') return isReadable(item, isForeign) ? [{ ...rest, id }] : []
  if (type === 'image_generation_call') return inputImageOf(item)
  if (!CLIENT_ITEMS.has(type)) return isForeign ? [] : [{ ...item }]
  // Keep the id of a shell call, because its result may refer to it.
  return [type === 'local_shell_call' ? { ...rest, id } : rest]
}

/**
 * Whether an upstream can read a reasoning item: the gateway encoded the item, or the item goes back to the
 * upstream that encrypted it.
 */
function isReadable(item: Json, isForeign: boolean): boolean {
  return isGatewayThought(item) || (!isForeign && textOf(item.encrypted_content) !== undefined)
}

/** Converts an image that the model generated to an input image. */
function inputImageOf({ result, output_format }: Readonly<Json>): Json[] {
  const data = textOf(result)
  if (data === undefined) return []
  const image_url = `data:image/${textOf(output_format) ?? 'png'};base64,${data}`
  return [{ type: 'message', role: 'user', content: [{ type: 'input_image', image_url, detail: 'auto' }] }]
}

/** Converts the `input` of a request to a list of items. */
export function itemsOfInput(input: unknown): Json[] {
  if (typeof input === 'string') {
    return input === '' ? [] : [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
  }
  return objectsOf(input)
}

/** Returns the id of an item that refers to another item. Returns undefined for an item with content. */
export function referredId(item: Readonly<Json>): string | undefined {
  const id = textOf(item.id)
  if (id === undefined) return undefined
  const type = textOf(item.type)
  if (type === 'item_reference') return id
  if (type === 'reasoning') return textOf(item.encrypted_content) === undefined ? id : undefined
  if (type === undefined) return item.role === undefined && item.content === undefined ? id : undefined
  return undefined
}
