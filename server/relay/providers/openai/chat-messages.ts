import { defined } from '../../../../core/records.ts'
import { markOfResult } from '../../conversation/cache-marks.ts'
import type { CallPart, FilePart, Part, ReasoningPart, ResultPart, Turn } from '../../conversation/conversation.ts'
import { urlOfMedia } from '../../conversation/media.ts'
import { pairResults, textOfParts } from '../../conversation/turns.ts'
import type { Json } from '../../json.ts'

/** Differences between a vendor's messages and OpenAI's documentation. */
export interface MessageOptions {
  /** The form of earlier reasoning: text (`content`) or OpenRouter's signed list (`details`). Absent: not sent. */
  readonly reasoning?: 'content' | 'details'
  /** True if the vendor supports `cache_control` on parts. */
  readonly cacheMarks?: boolean
  /** True if the vendor rejects fields that OpenAI does not document. */
  readonly strict?: boolean
  /** The vendor's field that marks a partial reply, which the model must continue. Absent: not supported. */
  readonly prefix?: 'prefix' | 'partial'
  /** True if the vendor supports custom tools. Otherwise custom tools become functions with one argument, `input`. */
  readonly customTools?: boolean
}

/**
 * Converts turns to messages of a chat completion. Results become `tool` messages directly after their calls. `tool`
 * messages can contain only text, so media of results follow in a user message.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export function chatMessages(turns: readonly Turn[], options: MessageOptions): Json[] {
  const messages: Json[] = []
  /** Media of other messages, to be added to the next user message, because only user messages can contain media. */
  let pendingMedia: Part[] = []
  const addUserMessage = (parts: readonly Part[], name?: string) => {
    if (parts.length > 0) messages.push(defined({ role: 'user', content: userContent(parts, options), name }))
  }
  for (const turn of hasResultsAfterCalls(turns) ? turns : pairResults(turns)) {
    if (turn.role === 'system') messages.push(systemMessage(turn, options))
    else if (turn.role === 'assistant') {
      if (!turn.parts.some(({ kind }) => kind === 'call')) {
        addUserMessage(pendingMedia)
        pendingMedia = []
      }
      const message = assistantMessage(turn, options)
      if (message) messages.push(message)
      pendingMedia.push(...turn.parts.filter(isMedia))
    } else {
      const results = turn.parts.filter((part) => part.kind === 'result')
      messages.push(...results.map((part) => toolMessage(part, options)))
      pendingMedia.push(...results.flatMap(({ parts }) => parts.filter(isMedia)))
      const otherParts = turn.parts.filter((part) => part.kind !== 'result')
      // The media stay pending, because more results may follow a turn that has only results.
      if (otherParts.length === 0) continue
      addUserMessage([...pendingMedia, ...otherParts], turn.name)
      pendingMedia = []
    }
  }
  addUserMessage(pendingMedia)
  return options.prefix ? withPartialReply(messages, options.prefix) : messages
}

/** If the last message is the assistant's, marks it as partial, because some vendors continue only marked messages. */
function withPartialReply(messages: readonly Json[], mark: 'prefix' | 'partial'): Json[] {
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || last.tool_calls !== undefined) return [...messages]
  return [...messages.slice(0, -1), { ...last, [mark]: true }]
}

/** Whether the results of each turn's calls directly follow that turn, and there are no other results. */
function hasResultsAfterCalls(turns: readonly Turn[]): boolean {
  const openCallIds = new Set<string>()
  for (const { role, parts } of turns) {
    for (const part of parts) {
      if (part.kind === 'result' ? !openCallIds.delete(part.callId) : role !== 'assistant' && openCallIds.size > 0)
        return false
    }
    if (role !== 'assistant') continue
    if (openCallIds.size > 0) return false
    for (const part of parts) if (part.kind === 'call') openCallIds.add(part.id)
  }
  return openCallIds.size === 0
}

function isMedia({ kind }: Part): boolean {
  return kind === 'image' || kind === 'file' || kind === 'audio'
}

function systemMessage({ parts, name }: Turn, options: MessageOptions): Json {
  const content = hasMark(parts, options)
    ? parts.flatMap((part) => wirePart(part, options))
    : textOfParts(parts, '\n\n')
  return defined({ role: 'system', content, name })
}

/** Whether a text has a cache mark, and the vendor supports cache marks. */
function hasMark(parts: readonly Part[], { cacheMarks }: MessageOptions): boolean {
  return cacheMarks === true && parts.some((part) => part.kind === 'text' && part.cache !== undefined)
}

function userContent(parts: readonly Part[], options: MessageOptions): unknown {
  const wireParts = parts.flatMap((part) => wirePart(part, options))
  const [only] = wireParts
  return wireParts.length === 1 && only?.type === 'text' && only.cache_control === undefined ? only.text : wireParts
}

/** Converts a part to at most one part of a message. Returns no part for reasoning, calls and results. */
function wirePart(part: Part, options: MessageOptions): Json[] {
  const mark = options.cacheMarks && 'cache' in part && part.cache ? { cache_control: part.cache } : {}
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return [{ type: 'text', text: part.text, ...mark }]
    case 'image':
      return [{ type: 'image_url', image_url: defined({ url: urlOfMedia(part.media), detail: part.detail }), ...mark }]
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.data, format: part.format } }]
    case 'file':
      return [{ ...filePart(part), ...mark }]
    case 'other':
      return [{ ...part.part }]
    default:
      return []
  }
}

function filePart({ media, name }: FilePart): Json {
  if ('text' in media) return { type: 'text', text: name ? `${name}:\n${media.text}` : media.text }
  if ('id' in media) return { type: 'file', file: { file_id: media.id } }
  const filename = name ?? (media.mime === 'application/pdf' ? 'document.pdf' : 'document')
  return { type: 'file', file: { filename, file_data: urlOfMedia(media) } }
}

function toolMessage(result: ResultPart, { cacheMarks }: MessageOptions): Json {
  const { callId, parts, isError } = result
  const texts = parts.flatMap((part) => {
    if (part.kind === 'other') return [JSON.stringify(part.part)]
    return part.kind === 'text' || part.kind === 'refusal' ? [part.text] : []
  })
  const text = texts.join('\n') || (parts.some(isMedia) ? 'The result follows in the next message.' : '')
  const content = isError ? `Error: ${text}` : text
  // Ignore marks of media, which move to another message together with the media.
  const mark = markOfResult(
    result,
    parts.filter((part) => !isMedia(part)),
  )
  const isMarked = cacheMarks && mark && content !== ''
  return {
    role: 'tool',
    tool_call_id: callId,
    content: isMarked ? [{ type: 'text', text: content, cache_control: mark }] : content,
  }
}

/** Returns the message of an assistant turn, or undefined if no part of the turn can be sent. */
function assistantMessage(turn: Turn, options: MessageOptions): Json | undefined {
  const calls = turn.parts.filter((part) => part.kind === 'call')
  const otherParts = turn.parts.filter((part) => part.kind === 'other')
  const text = textOfParts(turn.parts)
  const reasoning = reasoningFields(
    turn.parts.filter((part) => part.kind === 'reasoning'),
    options,
  )
  const needsParts = otherParts.length > 0 || (text !== '' && hasMark(turn.parts, options))
  const isEmpty = calls.length === 0 && otherParts.length === 0 && text === ''
  const hadText = turn.parts.some(({ kind }) => kind === 'text' || kind === 'refusal')
  if (isEmpty && !hadText && Object.keys(reasoning).length === 0) return undefined
  return defined({
    role: 'assistant',
    content: needsParts ? assistantParts(turn.parts, options) : text === '' && calls.length > 0 ? null : text,
    name: turn.name,
    ...reasoning,
    tool_calls: calls.length > 0 ? calls.map((call) => toolCall(call, options)) : undefined,
  })
}

function assistantParts(parts: readonly Part[], options: MessageOptions): Json[] {
  return parts.filter((part) => !isMedia(part)).flatMap((part) => wirePart(part, options))
}

function reasoningFields(parts: readonly ReasoningPart[], { reasoning }: MessageOptions): Json {
  if (parts.length === 0 || !reasoning) return {}
  if (reasoning === 'content') {
    const text = parts.map((part) => part.text).join('')
    return text === '' ? {} : { reasoning_content: text }
  }
  return {
    reasoning_details: parts.map(({ text, signature, redacted }) =>
      redacted === undefined
        ? defined({ type: 'reasoning.text', text, signature })
        : { type: 'reasoning.encrypted', data: redacted },
    ),
  }
}

function toolCall(call: CallPart, { customTools, strict }: MessageOptions): Json {
  const { id, name } = call
  if (call.custom && customTools) return { id, type: 'custom', custom: { name, input: call.arguments } }
  const text = call.custom ? JSON.stringify({ input: call.arguments }) : call.arguments.trim() || '{}'
  return {
    id,
    type: 'function',
    function: { name, arguments: text },
    ...(call.signature && !strict && { extra_content: { google: { thought_signature: call.signature } } }),
  }
}
