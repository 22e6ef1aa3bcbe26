import { COMPLETION_TOKENS, ERROR_TEXT, MEANT, type Meant, PROMPT_TOKENS } from '../meant.ts'
import { events, type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

const USAGE = {
  usage: {
    billed_units: { input_tokens: PROMPT_TOKENS, output_tokens: COMPLETION_TOKENS },
    // With what Cohere puts around a prompt, for which it takes no money.
    tokens: { input_tokens: PROMPT_TOKENS + 64, output_tokens: COMPLETION_TOKENS },
  },
}
const reasonOf = ({ calls }: Meant) => (calls ? 'TOOL_CALL' : 'COMPLETE')

/** The second version of Cohere's chat. The ready-made mock tells thoughts as text, and invents plans. */
export const cohere: StandIn = (call) => {
  const { body, feature = 'plain' } = call
  if (feature === 'error') return sendJson(call, { id: '1', message: ERROR_TEXT }, { status: 500 })
  const meant = MEANT[feature]
  if (!body.stream) {
    return sendJson(call, { id: '1', finish_reason: reasonOf(meant), message: messageOf(meant), ...USAGE })
  }
  const broken = feature === 'mid-stream break'
  const list = streamOf(meant)
  sendStream(call, events(...(broken ? list.slice(0, -3) : list).map((event) => [event.type, event] as const)), {
    broken,
  })
}

const callOf = ({ name, args }: { name: string; args: unknown }, at: number) => ({
  id: `${name}_${at}`,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

const contentOf = ({ text, reasoning }: Meant) => [
  ...(reasoning ? [{ type: 'thinking', thinking: reasoning }] : []),
  ...(text ? [{ type: 'text', text }] : []),
]

const messageOf = (meant: Meant) => ({
  role: 'assistant',
  ...(meant.calls ? { tool_calls: meant.calls.map(callOf) } : { content: contentOf(meant) }),
})

function streamOf(meant: Meant): { type: string; [field: string]: unknown }[] {
  const { calls = [] } = meant
  return [
    { type: 'message-start', id: '1', delta: { message: { role: 'assistant', content: [], tool_calls: [] } } },
    ...contentOf(meant).flatMap((part, index) => {
      const field = 'thinking' in part ? 'thinking' : 'text'
      const pieces = cut('thinking' in part ? part.thinking : part.text)
      const deltaOf = (piece: string) => ({ delta: { message: { content: { [field]: piece } } } })
      return [
        { type: 'content-start', index, delta: { message: { content: { type: field, [field]: '' } } } },
        ...pieces.map((piece) => ({ type: 'content-delta', index, ...deltaOf(piece) })),
        { type: 'content-end', index },
      ]
    }),
    ...calls.map(callOf).flatMap((called, index) => {
      const { name, arguments: args } = called.function
      const opening = { ...called, function: { name, arguments: '' } }
      return [
        { type: 'tool-call-start', index, delta: { message: { tool_calls: opening } } },
        ...cut(args).map((piece) => ({
          type: 'tool-call-delta',
          index,
          delta: { message: { tool_calls: { function: { arguments: piece } } } },
        })),
        { type: 'tool-call-end', index },
      ]
    }),
    { type: 'message-end', delta: { finish_reason: reasonOf(meant), ...USAGE } },
  ]
}
