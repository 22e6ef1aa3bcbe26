import { defined } from '../../../../core/records.ts'
import type { Conversation, Turn } from '../../conversation/conversation.ts'
import { mergeTurns, pairResults } from '../../conversation/turns.ts'
import {
  beginningWithUser,
  checkPlainReply,
  clamp,
  FILLER_TEXT,
  fillerTurn,
  offeredFunctions,
  plainText,
  stopsOf,
} from '../plain-conversation.ts'

interface Message {
  readonly role: 'user' | 'assistant' | 'function'
  readonly name?: string
  readonly content: string
  readonly function_call?: { readonly name: string; readonly arguments: string }
}

/** Minimum of `max_output_tokens` that Baidu accepts. */
const OUTPUT_TOKENS_MIN = 2
const STOPS_MAX = 4
/** Bounds of the temperature. Baidu rejects 0. With 0.01, replies are almost deterministic. */
const TEMPERATURES = [0.01, 1] as const
const PENALTIES = [1, 2] as const

/**
 * Returns the body for Baidu's chat endpoints. Throws the errors of `plainText` and `checkPlainReply`.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
 */
export function baiduChatBody(conversation: Conversation, { stream }: { stream: boolean }): Record<string, unknown> {
  checkPlainReply(conversation)
  const { system, messages } = messagesFrom(conversation.turns)
  const functions = offeredFunctions(conversation).map(({ name, description = name, parameters }) => ({
    name,
    description,
    parameters,
  }))
  const { temperature, topP, frequencyPenalty = 0, maxTokens } = conversation
  const [penaltyMin, penaltyMax] = PENALTIES
  return defined({
    messages,
    system,
    stream,
    temperature: clamp(temperature, TEMPERATURES),
    top_p: clamp(topP, [0, 1]),
    penalty_score: frequencyPenalty >= penaltyMin && frequencyPenalty <= penaltyMax ? frequencyPenalty : undefined,
    max_output_tokens: maxTokens === undefined ? undefined : Math.max(maxTokens, OUTPUT_TOKENS_MIN),
    stop: stopsOf(conversation.stop, STOPS_MAX),
    functions: functions.length ? functions : undefined,
    user_id: conversation.user,
    disable_search: false,
    enable_citation: false,
  })
}

/** Separates instructions from messages. Baidu requires alternating roles, and user messages at the start and end. */
function messagesFrom(turns: readonly Turn[]): { system: string | undefined; messages: Message[] } {
  const instructions = turns.filter(({ role }) => role === 'system').map(({ parts }) => plainText(parts))
  const system = instructions.filter((text) => text !== '').join('\n')
  const dialog = turns.filter(({ role }) => role !== 'system')
  // If there are no other turns, the instructions become the user's message.
  if (dialog.length === 0) return { system: undefined, messages: [{ role: 'user', content: system || FILLER_TEXT }] }
  const alternatingTurns = beginningWithUser(mergeTurns(pairResults(dialog)))
  const messages = alternatingTurns.flatMap(messagesOf)
  if (messages.at(-1)?.role === 'assistant') messages.push(...messagesOf(fillerTurn('user')))
  return { system: system || undefined, messages: interleaveResults(messages) }
}

function messagesOf({ role, parts }: Turn): Message[] {
  const calls = parts.filter((part) => part.kind === 'call')
  const results = parts.filter((part) => part.kind === 'result')
  const text = plainText(parts.filter((part) => part.kind !== 'result'))
  if (role === 'assistant' && calls.length) {
    return calls.map(({ name, arguments: argumentText, custom }, at) => ({
      role,
      content: at === 0 ? text : '',
      function_call: { name, arguments: custom ? JSON.stringify({ input: argumentText }) : argumentText || '{}' },
    }))
  }
  const resultMessages = results.map(
    (part): Message => ({
      role: 'function',
      name: part.name ?? part.callId,
      content: plainText(part.parts) || FILLER_TEXT,
    }),
  )
  // A turn without content also becomes a message, so that roles alternate.
  const textMessages: Message[] =
    text || resultMessages.length === 0
      ? [{ role: role === 'assistant' ? role : 'user', content: text || FILLER_TEXT }]
      : []
  return [...resultMessages, ...textMessages]
}

/**
 * Puts each result directly after its call, because a message has at most one call. Inserts a filler message of the
 * assistant between a result and a user message.
 */
function interleaveResults(messages: readonly Message[]): Message[] {
  const out: Message[] = []
  const results = messages.filter(({ role }) => role === 'function')
  for (const message of messages) {
    if (message.role === 'function') continue
    const before = out.at(-1)
    if (before && before.role !== 'assistant' && message.role === 'user')
      out.push({ role: 'assistant', content: FILLER_TEXT })
    out.push(message)
    const result = message.function_call && results.shift()
    if (result) out.push(result)
  }
  return out
}
