import { createHash } from 'node:crypto'
import type { CallPart, FilePart, Part, ReasoningPart, ResultPart, Turn } from '../../conversation/conversation.ts'
import { urlOfMedia } from '../../conversation/media.ts'
import { pairResults, textOfParts } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, wordOf } from '../../json.ts'
import { decodeReasoning } from './responses-reasoning.ts'

/** Converts turns to items of `input`: https://platform.openai.com/docs/api-reference/responses/create#input */
export function inputItems(turns: readonly Turn[]): Json[] {
  const customCallIds = new Set<string>()
  return pairResults(turns).flatMap((turn) => itemsOfTurn(turn, customCallIds))
}

/** Converts a turn to items. Adjacent content becomes one message. Calls, results and reasoning become other items. */
function itemsOfTurn({ role, parts }: Turn, customCallIds: Set<string>): Json[] {
  const items: Json[] = []
  let content: Json[] = []
  const flush = () => {
    if (content.length) items.push({ type: 'message', role: role === 'system' ? 'developer' : role, content })
    content = []
  }
  for (const part of parts) {
    if (isMessagePart(part, role)) {
      content.push(...contentPart(part, role))
      continue
    }
    flush()
    items.push(...itemOf(part, customCallIds))
  }
  flush()
  return items
}

function isMessagePart({ kind }: Part, role: Turn['role']): boolean {
  if (kind === 'reasoning' || kind === 'call' || kind === 'result') return false
  // An assistant message can contain only text, so the assistant's media become user messages.
  return role !== 'assistant' || kind === 'text' || kind === 'refusal' || kind === 'other'
}

function itemOf(part: Part, customCallIds: Set<string>): Json[] {
  switch (part.kind) {
    case 'reasoning':
      return reasoningItem(part)
    case 'call':
      if (part.custom) customCallIds.add(part.id)
      return [callItem(part)]
    case 'result':
      return [resultItem(part, customCallIds.has(part.callId))]
    default:
      return [{ type: 'message', role: 'user', content: contentPart(part, 'user') }]
  }
}

/** Returns an item, or none if no Responses upstream encrypted the reasoning, because the upstream would reject it. */
function reasoningItem(part: ReasoningPart): Json[] {
  const reasoning = decodeReasoning(part.signature)
  if (!reasoning) return []
  const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }]
  return [{ type: 'reasoning', id: reasoning.id, summary, encrypted_content: reasoning.encrypted }]
}

function callItem({ id, name, arguments: args, custom }: CallPart): Json {
  if (custom) return { type: 'custom_tool_call', call_id: callId(id), name, input: args }
  return { type: 'function_call', call_id: callId(id), name, arguments: args.trim() === '' ? '{}' : args }
}

function resultItem({ callId: id, parts }: ResultPart, custom: boolean): Json {
  const isTextOnly = parts.every(({ kind }) => kind === 'text' || kind === 'refusal')
  return {
    type: custom ? 'custom_tool_call_output' : 'function_call_output',
    call_id: callId(id),
    output: isTextOnly ? textOfParts(parts) : parts.flatMap((part) => contentPart(part, 'user')),
  }
}

const CALL_ID_LENGTH_MAX = 64

/** Shortens an id that is too long for OpenAI. A call and its result get the same short id. */
function callId(id: string): string {
  if (id.length <= CALL_ID_LENGTH_MAX) return id
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}

function contentPart(part: Part, role: Turn['role']): Json[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text }]
    case 'refusal':
      return role === 'assistant'
        ? [{ type: 'refusal', refusal: part.text }]
        : [{ type: 'input_text', text: part.text }]
    case 'image':
      return [{ type: 'input_image', image_url: urlOfMedia(part.media), detail: part.detail ?? 'auto' }]
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.data, format: part.format } }]
    case 'file':
      return [filePart(part)]
    case 'other':
      return refuse(`a content part of type "${wordOf(part.part.type)}" is not supported for this model`)
    default:
      return []
  }
}

function filePart({ media, name }: FilePart): Json {
  if ('text' in media) return { type: 'input_text', text: name ? `${name}\n${media.text}` : media.text }
  if ('id' in media) return { type: 'input_file', file_id: media.id }
  if ('url' in media) return { type: 'input_file', file_url: media.url }
  return { type: 'input_file', filename: name ?? 'file', file_data: urlOfMedia(media) }
}
