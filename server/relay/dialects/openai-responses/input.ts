import { isRecord, recordOf } from '../../../../core/records.ts'
import type { CallPart, FilePart, ImagePart, Part, ReasoningPart, Turn } from '../../conversation/conversation.ts'
import { decodeSignatures, summaryIn } from '../../conversation/envelope.ts'
import { readDataUrl } from '../../conversation/media.ts'
import { type Json, objectsOf, textOf, wordOf } from '../../json.ts'
import { refuse } from '../refuse.ts'
import { rejectStoredReference } from './stored.ts'
import { SHELL_TOOL, type ToolNames, toolNames } from './tool-names.ts'

interface MutableTurn {
  role: Turn['role']
  parts: Part[]
}

/**
 * Converts a request's `input` to turns: https://platform.openai.com/docs/api-reference/responses/create. Merges the
 * items of one reply into one turn, and moves results directly after their calls. Drops calls of OpenAI's hosted tools,
 * which no other model can read. Throws REQUEST_MALFORMED for invalid and unsupported items.
 */
export function turnsOfInput(input: unknown, names: ToolNames = toolNames(undefined)): Turn[] {
  if (typeof input === 'string') return [{ role: 'user', parts: [{ kind: 'text', text: input }] }]
  if (!Array.isArray(input)) return []
  const turns: MutableTurn[] = []
  const context = { signatures: callSignatures(input), shellCalls: shellCallIds(input), names }
  for (const [index, item] of input.entries()) {
    const at = `input[${index}]`
    if (!isRecord(item)) return refuse(`${at} must be an object`)
    addItem(turns, item, at, context)
  }
  return turns
}

/** Look-up tables for one input, built before its items are converted. */
interface InputContext {
  readonly names: ToolNames
  /** The `thoughtSignature` of Gemini's calls, by call id. */
  readonly signatures: ReadonlyMap<string, string>
  /** The call id of each shell call, by item id. A result may refer to either id. */
  readonly shellCalls: ReadonlyMap<string, string>
}

function addItem(turns: MutableTurn[], item: Json, at: string, context: InputContext): void {
  switch (item.type) {
    case undefined:
    case 'message':
      addMessage(turns, item, at)
      break
    case 'reasoning':
      for (const part of reasoningOf(item)) addAssistant(turns, [part])
      break
    case 'function_call':
    case 'custom_tool_call':
      addCall(turns, callOf(item, context))
      break
    case 'local_shell_call':
      addCall(turns, shellCall(item, context))
      break
    case 'local_shell_call_output': {
      const id = textOf(item.call_id) ?? textOf(item.id) ?? ''
      addResult(turns, context.shellCalls.get(id) ?? id, responsesPartsOf(item.output, `${at}.output`))
      break
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      addResult(turns, textOf(item.call_id) ?? '', responsesPartsOf(item.output, `${at}.output`))
      break
    case 'item_reference':
      rejectStoredReference('item_reference', `${at} refers to an item of an earlier response`)
      break
    case 'compaction': {
      const text = summaryIn(item)
      if (text === undefined)
        refuse(`${at} is a compacted conversation that another service encrypted: send the original items instead`)
      turns.push({ role: 'user', parts: [{ kind: 'text', text }] })
      break
    }
    default:
      if (!HOSTED_ITEM.test(wordOf(item.type)))
        refuse(`${at}.type "${wordOf(item.type)}" is not supported for this model: leave the item out`)
  }
}

/** Matches the types of dropped items: calls and results of OpenAI's hosted tools, and MCP items. */
const HOSTED_ITEM = /(_call|_output|^mcp_\w+)$/

function addMessage(turns: MutableTurn[], item: Json, at: string): void {
  if (typeof item.role !== 'string') refuse(`${at}.role must be user, assistant, system or developer`)
  const parts = responsesPartsOf(item.content, `${at}.content`)
  if (item.role === 'assistant') addAssistant(turns, parts)
  else if (item.role === 'user') turns.push({ role: 'user', parts })
  else if (item.role === 'system' || item.role === 'developer') turns.push({ role: 'system', parts })
  else refuse(`${at}.role is "${wordOf(item.role)}"; use user, assistant, system or developer`)
}

const isMessageText = ({ kind }: Part): boolean => kind === 'text' || kind === 'refusal'
const isCall = ({ kind }: Part): boolean => kind === 'call'

/**
 * Adds the assistant's parts. An assistant turn at the end that has a call or no text belongs to the same reply, so it
 * gets the parts. Otherwise adds a turn.
 */
function addAssistant(turns: MutableTurn[], parts: Part[]): void {
  const last = turns.at(-1)
  const isSameReply = last?.role === 'assistant' && (last.parts.some(isCall) || !last.parts.some(isMessageText))
  if (isSameReply) last.parts.push(...parts)
  else turns.push({ role: 'assistant', parts })
}

/** Adds a call. An assistant turn at the end belongs to the same reply, even if it has text, so it gets the call. */
function addCall(turns: MutableTurn[], call: CallPart): void {
  const last = turns.at(-1)
  if (last?.role === 'assistant') last.parts.push(call)
  else turns.push({ role: 'assistant', parts: [call] })
}

/**
 * Adds a result to the results that follow the turn with its call. If there are no results yet, inserts a user turn. If
 * the call is missing, adds the result at the end.
 */
function addResult(turns: MutableTurn[], callId: string, parts: Part[]): void {
  const callTurnIndex = turns.findLastIndex((turn) =>
    turn.parts.some((part) => part.kind === 'call' && part.id === callId),
  )
  const resultIndex = callTurnIndex < 0 ? turns.length : callTurnIndex + 1
  const resultTurn = callTurnIndex < 0 ? turns.at(-1) : turns[resultIndex]
  const result: Part = { kind: 'result', callId, parts }
  if (resultTurn?.parts.some(({ kind }) => kind === 'result')) resultTurn.parts.push(result)
  else turns.splice(resultIndex, 0, { role: 'user', parts: [result] })
}

/**
 * Returns the reasoning of an item, with the signature that the gateway encoded. Uses the summary if the item has no
 * text. Returns an empty list if there is neither text nor signature.
 */
function reasoningOf(item: Json): ReasoningPart[] {
  const envelope = decodeSignatures(item.encrypted_content)
  if (envelope?.redacted !== undefined) return [{ kind: 'reasoning', text: '', redacted: envelope.redacted }]
  const texts = objectsOf(item.content).flatMap(({ text }) => textOf(text) ?? [])
  const summaryTexts = objectsOf(item.summary).flatMap(({ text }) => textOf(text) ?? [])
  const text = texts.length ? texts.join('') : summaryTexts.join('\n\n')
  if (text === '' && envelope?.signature === undefined) return []
  return [{ kind: 'reasoning', text, ...(envelope?.signature !== undefined && { signature: envelope.signature }) }]
}

function callOf(item: Json, { names, signatures }: InputContext): CallPart {
  const custom = item.type === 'custom_tool_call'
  // Results refer only to `call_id`, so the item's `id` cannot replace `call_id`.
  const id = textOf(item.call_id) ?? ''
  const signature = signatures.get(id)
  const namespace = textOf(item.namespace)
  return {
    kind: 'call',
    id,
    name: names.functionName({ name: textOf(item.name) ?? '', ...(namespace !== undefined && { namespace }) }),
    arguments: textOf(custom ? item.input : item.arguments) ?? '',
    ...(custom && { custom }),
    ...(signature !== undefined && { signature }),
  }
}

function shellCall(item: Json, { names, signatures }: InputContext): CallPart {
  const id = textOf(item.call_id) ?? textOf(item.id) ?? ''
  const { type: _, ...action } = recordOf(item.action)
  const signature = signatures.get(id)
  return {
    kind: 'call',
    id,
    name: names.functionName(SHELL_TOOL),
    arguments: JSON.stringify(action),
    ...(signature !== undefined && { signature }),
  }
}

function shellCallIds(input: readonly unknown[]): Map<string, string> {
  const ids = new Map<string, string>()
  for (const { type, id, call_id: callId } of objectsOf(input)) {
    if (type === 'local_shell_call' && textOf(id) && textOf(callId)) ids.set(String(id), String(callId))
  }
  return ids
}

function callSignatures(input: readonly unknown[]): Map<string, string> {
  const signatures = new Map<string, string>()
  for (const item of objectsOf(input)) {
    if (item.type !== 'reasoning') continue
    for (const [id, signature] of Object.entries(decodeSignatures(item.encrypted_content)?.calls ?? {}))
      signatures.set(id, signature)
  }
  return signatures
}

/** Reads a text or a list of parts. `at` is the name of the field in errors. */
function responsesPartsOf(content: unknown, at: string): Part[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return refuse(`${at} must be a text or an array of parts`)
  return content.map((part, index) =>
    isRecord(part) ? partOf(part, `${at}[${index}]`) : refuse(`${at}[${index}] must be an object`),
  )
}

function partOf(part: Json, at: string): Part {
  if (part.type === 'refusal') return { kind: 'refusal', text: textOf(part.refusal) ?? '' }
  if (typeof part.text === 'string') return { kind: 'text', text: part.text }
  if (part.type === 'input_image' || part.type === 'image_url' || part.type === 'computer_screenshot')
    return imageOf(part, at)
  if (part.type === 'input_file') return fileOf(part)
  if (part.type === 'input_audio') {
    const { data, format } = recordOf(part.input_audio)
    return { kind: 'audio', data: textOf(data) ?? '', format: textOf(format) ?? 'wav' }
  }
  return { kind: 'other', part }
}

function imageOf(part: Json, at: string): ImagePart {
  const url = textOf(recordOf(part.image_url).url) ?? textOf(part.image_url)
  if (url === undefined) return refuse(`${at} needs image_url: an uploaded file cannot be looked up for this model`)
  const detail = textOf(part.detail)
  return {
    kind: 'image',
    media: readDataUrl(url) ?? { url },
    // Other formats have no detail level above `high`.
    ...(detail && { detail: detail === 'original' ? 'high' : detail }),
  }
}

function fileOf(part: Json): FilePart {
  const name = textOf(part.filename)
  return { kind: 'file', media: fileMedia(part), ...(name && { name }) }
}

function fileMedia(part: Json): FilePart['media'] {
  const id = textOf(part.file_id)
  const url = textOf(part.file_url)
  const data = textOf(part.file_data) ?? ''
  if (id) return { id }
  if (url) return { url }
  return readDataUrl(data) ?? { data, mime: 'application/pdf' }
}
