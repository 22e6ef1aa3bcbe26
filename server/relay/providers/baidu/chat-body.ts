import type { CallPart, Conversation, Part, ResultPart, Turn } from '../../conversation/conversation.ts'
import { merged, pairedResults } from '../../conversation/turns.ts'
import { defined } from '../../json.ts'
import {
  beginningWithUser,
  checkPlainReply,
  OKAY,
  offeredFunctions,
  plainText,
  sayOkay,
  stopsOf,
  within,
} from '../plain-conversation.ts'

interface Message {
  readonly role: 'user' | 'assistant' | 'function'
  readonly name?: string
  readonly content: string
  readonly function_call?: { readonly name: string; readonly arguments: string }
}

/** Fewer are refused. */
const OUTPUT_TOKENS_MIN = 2
const STOPS_MAX = 4
/** 0 is refused; this is as sure of itself as a model gets. */
const TEMPERATURES = [0.01, 1] as const
const PENALTIES = [1, 2] as const

/**
 * A request for Baidu's chat endpoints. https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
 * Throws REQUEST_MALFORMED for parts that are not text, and for several replies.
 */
export function baiduChatBody(conversation: Conversation, { stream }: { stream: boolean }): Record<string, unknown> {
  checkPlainReply(conversation)
  const { system, messages } = said(conversation.turns)
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
    temperature: within(temperature, TEMPERATURES),
    top_p: within(topP, [0, 1]),
    penalty_score: frequencyPenalty >= penaltyMin && frequencyPenalty <= penaltyMax ? frequencyPenalty : undefined,
    max_output_tokens: maxTokens === undefined ? undefined : Math.max(maxTokens, OUTPUT_TOKENS_MIN),
    stop: stopsOf(conversation.stop, STOPS_MAX),
    functions: functions.length ? functions : undefined,
    user_id: conversation.user,
    disable_search: false,
    enable_citation: false,
  })
}

/** Instructions stand apart; the rest alternates, and both its first and its last word are the user's. */
function said(turns: readonly Turn[]): { system: string | undefined; messages: Message[] } {
  const instructions = turns.filter(({ role }) => role === 'system').map(({ parts }) => plainText(parts))
  const system = instructions.filter((text) => text !== '').join('\n')
  const spoken = turns.filter(({ role }) => role !== 'system')
  // Instructions alone are what the user says.
  if (spoken.length === 0) return { system: undefined, messages: [{ role: 'user', content: system || OKAY }] }
  const alternating = beginningWithUser(merged(pairedResults(spoken)))
  const messages = alternating.flatMap(messagesOf)
  if (messages.at(-1)?.role === 'assistant') messages.push(...messagesOf(sayOkay('user')))
  return { system: system || undefined, messages: interleaved(messages) }
}

function messagesOf({ role, parts }: Turn): Message[] {
  const calls = parts.filter((part): part is CallPart => part.kind === 'call')
  const results = parts.filter((part): part is ResultPart => part.kind === 'result')
  const text = plainText(parts.filter((part: Part) => part.kind !== 'result'))
  if (role === 'assistant' && calls.length) {
    return calls.map(({ name, arguments: written, custom }, at) => ({
      role,
      content: at === 0 ? text : '',
      function_call: { name, arguments: custom ? JSON.stringify({ input: written }) : written || '{}' },
    }))
  }
  const answers = results.map(
    (part): Message => ({ role: 'function', name: part.name ?? part.callId, content: plainText(part.parts) || OKAY }),
  )
  // A turn of nothing but blanks still has to be there, or its neighbours would meet.
  const own: Message[] =
    text || answers.length === 0 ? [{ role: role === 'assistant' ? role : 'user', content: text || OKAY }] : []
  return [...answers, ...own]
}

/**
 * One call in each message, its result in the next: several calls of a turn become a call, its result, the next call …
 * What the user adds to results follows an assistant's neutral word.
 */
function interleaved(messages: readonly Message[]): Message[] {
  const out: Message[] = []
  const answers = messages.filter(({ role }) => role === 'function')
  for (const message of messages) {
    if (message.role === 'function') continue
    const before = out.at(-1)
    if (before && before.role !== 'assistant' && message.role === 'user') out.push({ role: 'assistant', content: OKAY })
    out.push(message)
    const answer = message.function_call && answers.shift()
    if (answer) out.push(answer)
  }
  return out
}
