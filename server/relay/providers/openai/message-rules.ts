import { createHash } from 'node:crypto'
import type { MessageRules, ToolRules } from '../../../../core/channels/settings/quirks.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { arrayOf, type Json, objectsOf, textOf, wordOf } from '../../json.ts'

/** Applies a vendor's rules to messages. Returns the same list if nothing changes. */
export function withMessageRules(
  messages: readonly unknown[],
  rules: MessageRules,
  tools: ToolRules,
): readonly unknown[] {
  const names = tools.namedResults ? callNames(messages) : undefined
  const changed = mapChanged(messages, (message) =>
    isRecord(message) ? withRules(message, rules, tools, names) : message,
  )
  if (!rules.alternate) return changed
  const alternating = alternateRoles(changed.filter(isRecord))
  return alternating.length === messages.length && alternating.every((message, index) => message === messages[index])
    ? messages
    : alternating
}

function withRules(
  message: Json,
  rules: MessageRules,
  tools: ToolRules,
  names: ReadonlyMap<string, string> | undefined,
): Json {
  let changed = normalizeParts(message)
  if (!rules.developer) changed = asSystem(changed)
  if (tools.none) changed = asText(changed)
  if (names) changed = withName(changed, names)
  if (tools.idLength !== undefined) changed = withShortIds(changed, tools.idLength)
  if (rules.only) changed = onlyFields(changed, rules.only)
  return withoutEmptyCalls(changed)
}

/** Like `map`, but returns the same list, without a copy, if no item changes. */
function mapChanged(items: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  for (let index = 0; index < items.length; index++) {
    const changed = change(items[index])
    if (changed !== items[index]) return [...items.slice(0, index), changed, ...items.slice(index + 1).map(change)]
  }
  return items
}

/** Converts content parts to the forms that OpenAI documents for chat completions. Some vendors reject other forms. */
function normalizeParts(message: Json): Json {
  if (!Array.isArray(message.content)) return message
  const content = mapChanged(message.content, normalizePart)
  return content === message.content ? message : { ...message, content }
}

function normalizePart(part: unknown): unknown {
  if (!isRecord(part)) return part
  if (part.type === 'input_text' || part.type === 'output_text') return { ...part, type: 'text' }
  if (part.type !== 'image_url') return part
  if (typeof part.image_url === 'string') return { ...part, image_url: { url: imageUrlOf(part.image_url) } }
  const image = recordOf(part.image_url)
  const url = textOf(image.url)
  const address = url && imageUrlOf(url)
  return address === url ? part : { ...part, image_url: { ...image, url: address } }
}

/** MIME types of images by the first characters of their base64. */
const IMAGE_TYPES = { iVBORw0: 'image/png', '/9j/': 'image/jpeg', R0lGOD: 'image/gif', UklGR: 'image/webp' }

/** Converts base64 without a prefix to a data URL. */
function imageUrlOf(url: string): string {
  const match = Object.entries(IMAGE_TYPES).find(([start]) => url.startsWith(start))
  return match ? `data:${match[1]};base64,${url}` : url
}

function asSystem(message: Json): Json {
  return message.role === 'developer' ? { ...message, role: 'system' } : message
}

/** Removes an empty list of calls, which some vendors reject. Adds missing content. */
function withoutEmptyCalls(message: Json): Json {
  if (!Array.isArray(message.tool_calls) || message.tool_calls.length > 0) return message
  const { tool_calls: _, ...rest } = message
  return rest.content === null || rest.content === undefined ? { ...rest, content: '' } : rest
}

function onlyFields(message: Json, names: readonly string[]): Json {
  return Object.keys(message).every((name) => names.includes(name))
    ? message
    : Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name)))
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns an id of exactly `length` letters and digits. Equal ids give equal results. */
function shortId(id: string, length: number): string {
  if (id.length === length && /^[A-Za-z0-9]+$/.test(id)) return id
  const digest = createHash('sha256').update(id).digest()
  return Array.from(digest.subarray(0, length), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

function withShortIds(message: Json, length: number): Json {
  const calls = objectsOf(message.tool_calls)
  const isChanged = (id: unknown) => typeof id === 'string' && shortId(id, length) !== id
  if (!isChanged(message.tool_call_id) && !calls.some(({ id }) => isChanged(id))) return message
  const short = (id: unknown) => (typeof id === 'string' ? shortId(id, length) : id)
  return {
    ...message,
    ...(message.tool_call_id !== undefined && { tool_call_id: short(message.tool_call_id) }),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => ({ ...call, id: short(call.id) })) }),
  }
}

function callNames(messages: readonly unknown[]): Map<string, string> {
  const calls = objectsOf(messages).flatMap((message) => objectsOf(message.tool_calls))
  return new Map(calls.map(({ id, function: called }) => [wordOf(id), wordOf(recordOf(called).name ?? '')]))
}

function withName(message: Json, names: ReadonlyMap<string, string>): Json {
  const name = message.role === 'tool' && !message.name && names.get(wordOf(message.tool_call_id))
  return name ? { ...message, name } : message
}

/** Rewrites calls and results as text, for vendors without tools. */
function asText(message: Json): Json {
  if (message.role === 'tool') return { role: 'user', content: `Result of a tool: ${textIn(message.content)}` }
  const calls = objectsOf(message.tool_calls)
  if (calls.length === 0) return message
  const { tool_calls: _, ...rest } = message
  const namedCalls = calls.map(({ function: called }) => {
    const { name, arguments: args } = recordOf(called)
    return `Called the tool ${wordOf(name)} with ${wordOf(args)}`
  })
  return { ...rest, content: [textIn(message.content), ...namedCalls].filter(Boolean).join('\n') }
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map(({ text }) => textOf(text) ?? '')
    .join('')
}

/**
 * Merges adjacent messages of the same role, except leading instructions. Later instructions become user text. If the
 * first message after the instructions is the assistant's, inserts a user message before it.
 */
function alternateRoles(messages: readonly Json[]): Json[] {
  const out: Json[] = []
  for (const message of messages) {
    const last = out.at(-1)
    if (last && last.role === message.role && message.role !== 'system')
      out[out.length - 1] = { ...last, content: joinContents(last.content, message.content) }
    else if (message.role === 'system' && last && last.role !== 'system') {
      if (last.role === 'user') out[out.length - 1] = { ...last, content: joinContents(last.content, message.content) }
      else out.push({ ...message, role: 'user' })
    } else out.push(message)
  }
  const first = out.findIndex(({ role }) => role !== 'system')
  if (out[first]?.role === 'assistant') out.splice(first, 0, { role: 'user', content: '…' })
  return out
}

function joinContents(before: unknown, after: unknown): unknown {
  if (typeof before === 'string' && typeof after === 'string') return `${before}\n\n${after}`
  const parts = (content: unknown) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : arrayOf(content)
  return [...parts(before), ...parts(after)]
}
