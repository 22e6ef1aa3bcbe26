import {
  COMPLETION_TOKENS,
  ERROR_TEXT,
  MEANT,
  type Meant,
  PROMPT_TOKENS,
  TOTAL_TOKENS,
  taggedThought,
} from '../meant.ts'
import { type Call, events, type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

/** How a vendor of OpenAI's language differs from OpenAI in what it answers. */
export interface ChatManners {
  /** Where thoughts are; absent = in `reasoning_content`. */
  reasoning?: 'reasoning_content' | 'reasoning' | 'think tags' | 'parts' | 'none'
  /** Where a stream's usage is: in a chunk of its own if asked for, with the end, in each chunk, nowhere. */
  usage?: 'if asked' | 'with the end' | 'in each' | 'never'
  /** The last choice has it besides. */
  usageInChoice?: boolean
  /** Completion tokens that are told as part of the total alone. */
  untoldTokens?: number
  /** Calls come whole, in one chunk, without `index` and `type`. */
  wholeCalls?: boolean
  /** The last chunk has all of the message once more. */
  repeats?: boolean
  /** Comments between events, blank lines before a body. */
  keepAlive?: boolean
  /** The name of each event. */
  eventName?: string
  noDone?: boolean
  /** Top-level fields that it takes; others are refused with status 422. */
  only?: readonly string[]
  /** What else it refuses, in its words. */
  refuses?: (body: Record<string, unknown>) => string | undefined
  /** How it says that something went wrong; absent = OpenAI's way. */
  fails?: (call: Call) => void
}

const HEAD = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'model-of-the-upstream' }

/** Chat completions as this vendor serves them. */
export function chatStandIn(manners: ChatManners = {}): StandIn {
  return (call) => {
    const { body, headers, feature = 'plain' } = call
    if (!/^Bearer \S+$/.test(headers.authorization ?? '')) {
      return sendJson(call, { error: { message: 'No key' } }, { status: 401 })
    }
    const unknown = manners.only && Object.keys(body).find((name) => !manners.only?.includes(name))
    const refusal = unknown ? `extra_forbidden: ${unknown}` : (unansweredCall(body) ?? manners.refuses?.(body))
    if (refusal) return sendJson(call, { error: { message: refusal } }, { status: 422 })
    if (feature === 'error') return (manners.fails ?? failAsOpenAi)(call)
    const meant = said(MEANT[feature], manners)
    if (!body.stream) return sendJson(call, (manners.keepAlive ? '\n\n' : '') + JSON.stringify(whole(meant, manners)))
    const broken = feature === 'mid-stream break'
    return sendStream(call, stream(meant, { manners, broken, body }), { broken })
  }
}

interface Message {
  role?: string
  tool_calls?: { id: string }[]
  tool_call_id?: string
}

/** Each call of a turn is answered right after it, and nothing else is. */
function unansweredCall({ messages }: Record<string, unknown>): string | undefined {
  const open = new Set<string>()
  for (const { role, tool_calls = [], tool_call_id = '' } of messages as Message[]) {
    if (role === 'tool') {
      if (!open.delete(tool_call_id)) return `messages: no call ${tool_call_id}`
    } else if (open.size > 0) return `messages: no result of ${[...open]}`
    for (const { id } of tool_calls) open.add(id)
  }
  return open.size > 0 ? `messages: no result of ${[...open]}` : undefined
}

export function failAsOpenAi(call: Call): void {
  sendJson(call, { error: { message: ERROR_TEXT, type: 'server_error', param: null, code: 'teapot' } }, { status: 500 })
}

function said(meant: Meant, { reasoning = 'reasoning_content' }: ChatManners): Meant {
  if (!meant.reasoning || reasoning === 'reasoning_content' || reasoning === 'reasoning') return meant
  const { reasoning: _, ...rest } = meant
  if (reasoning === 'think tags') return { ...rest, text: taggedThought(meant) }
  return reasoning === 'parts' ? meant : rest
}

const usageOf = ({ untoldTokens = 0 }: ChatManners) => ({
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: COMPLETION_TOKENS - untoldTokens,
  total_tokens: TOTAL_TOKENS,
})

const callOf = ({ name, args }: { name: string; args: unknown }, at: number) => ({
  id: `callid00${at}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

const reasonOf = ({ calls }: Meant) => (calls ? 'tool_calls' : 'stop')

function messageOf(meant: Meant, { reasoning }: ChatManners) {
  const { text, reasoning: thought, calls } = meant
  const parts = [
    { type: 'thinking', thinking: [{ type: 'text', text: thought }] },
    { type: 'text', text },
  ]
  return {
    role: 'assistant',
    content: reasoning === 'parts' && thought ? parts : (text ?? null),
    ...(thought && reasoning !== 'parts' && { [reasoning ?? 'reasoning_content']: thought }),
    ...(calls && { tool_calls: calls.map(callOf) }),
  }
}

function whole(meant: Meant, manners: ChatManners) {
  return {
    ...HEAD,
    object: 'chat.completion',
    choices: [{ index: 0, message: messageOf(meant, manners), finish_reason: reasonOf(meant) }],
    ...(manners.usage !== 'never' && { usage: usageOf(manners) }),
  }
}

function deltasOf({ text, reasoning: thought, calls }: Meant, { reasoning, wholeCalls }: ChatManners) {
  const thoughts = cut(thought).map((piece) =>
    reasoning === 'parts'
      ? { content: [{ type: 'thinking', thinking: [{ type: 'text', text: piece }] }] }
      : { [reasoning ?? 'reasoning_content']: piece },
  )
  const texts = cut(text).map((content) => ({ content }))
  if (!calls) return [...thoughts, ...texts]
  if (wholeCalls) {
    return [{ content: '', tool_calls: calls.map(callOf).map(({ type: _, ...rest }) => rest) }]
  }
  const opened = calls
    .map(callOf)
    .flatMap(({ function: { name, arguments: args }, ...rest }, index) => [
      { tool_calls: [{ index, ...rest, function: { name, arguments: '' } }] },
      ...cut(args).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ])
  return [...thoughts, ...opened]
}

function stream(
  meant: Meant,
  { manners, broken, body }: { manners: ChatManners; broken: boolean; body: Record<string, unknown> },
): string {
  const { usage = 'if asked', usageInChoice, repeats, eventName = '', noDone } = manners
  const counted = { usage: usageOf(manners) }
  const chunk = (delta: object, finish_reason: string | null, { more = {}, choice = {} } = {}) => ({
    ...HEAD,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason, ...choice }],
    ...(usage === 'in each' && counted),
    ...more,
  })
  const deltas = deltasOf(meant, manners).map((delta) => chunk(delta, null))
  const wantsUsage = (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage
  const ending = chunk({}, reasonOf(meant), {
    more: {
      ...(usage === 'with the end' && counted),
      ...(repeats && { object: 'chat.completion' }),
    },
    choice: {
      ...(usageInChoice && counted),
      ...(repeats && { message: messageOf(meant, manners) }),
    },
  })
  const list = [
    chunk({ role: 'assistant', content: '' }, null),
    ...(broken ? deltas.slice(0, -1) : deltas),
    ...(broken ? [] : [ending]),
    ...(broken || usage !== 'if asked' || !wantsUsage ? [] : [{ ...chunk({}, null), choices: [], ...counted }]),
  ]
  const named = eventName ? list.map((payload) => [eventName, payload] as const) : list
  const wire = (manners.keepAlive ? ': keep-alive\n\n' : '') + events(...named)
  return broken || noDone ? wire : `${wire}data: [DONE]\n\n`
}
