import { COMPLETION_TOKENS, ERROR_TEXT, MEANT, type Meant, PROMPT_TOKENS } from '../meant.ts'
import { type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

const HEAD = { model: 'llama3-7b', created_at: '2026-01-01T00:00:00Z' }

/** Ollama's own format: a line of JSON for each step, calls whole and without ids. */
export const ollamaChat: StandIn = (call) => {
  const { body, feature = 'plain' } = call
  if (feature === 'error') return sendJson(call, { error: ERROR_TEXT }, { status: 500 })
  const meant = MEANT[feature]
  const broken = feature === 'mid-stream break'
  const end = { done: true, done_reason: 'stop', prompt_eval_count: PROMPT_TOKENS, eval_count: COMPLETION_TOKENS }
  // A stream unless told otherwise.
  if (body.stream === false) return sendJson(call, { ...HEAD, message: messageOf(meant), ...end })
  const { calls, text, reasoning } = meant
  const messages = [
    ...cut(reasoning).map((thinking) => ({ role: 'assistant', content: '', thinking })),
    ...cut(text).map((content) => ({ role: 'assistant', content })),
    ...(calls ?? []).map((called) => messageOf({ calls: [called] })),
  ]
  const lines = (broken ? messages.slice(0, -1) : messages).map((message) => ({ ...HEAD, message, done: false }))
  const last = { ...HEAD, message: { role: 'assistant', content: '' }, ...end }
  const wire = (broken ? lines : [...lines, last]).map((line) => `${JSON.stringify(line)}\n`).join('')
  sendStream(call, wire, { type: 'application/x-ndjson', broken })
}

function messageOf({ text = '', reasoning, calls }: Meant) {
  return {
    role: 'assistant',
    content: text,
    ...(reasoning && { thinking: reasoning }),
    ...(calls && { tool_calls: calls.map(({ name, args }) => ({ function: { name, arguments: args } })) }),
  }
}
