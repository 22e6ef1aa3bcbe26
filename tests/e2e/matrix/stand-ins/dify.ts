import { COMPLETION_TOKENS, ERROR_TEXT, MEANT, PROMPT_TOKENS, TOTAL_TOKENS } from '../meant.ts'
import { events, paths, type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

const PLACE = { message_id: 'm-1', conversation_id: 'c-1', task_id: 't-1', created_at: 1_700_000_000 }
const METADATA = {
  metadata: {
    usage: {
      prompt_tokens: PROMPT_TOKENS,
      completion_tokens: COMPLETION_TOKENS,
      total_tokens: TOTAL_TOKENS,
      total_price: '0.0000412',
      currency: 'USD',
      latency: 0.7,
    },
    retriever_resources: [],
  },
}

const chat: StandIn = (call) => {
  const { body, feature = 'plain' } = call
  const failure = { code: 'completion_request_error', message: ERROR_TEXT }
  if (feature === 'error') return sendJson(call, { ...failure, status: 500 }, { status: 500 })
  const { text = '', reasoning } = MEANT[feature]
  const thought = reasoning
    ? `<details style="color:gray;" open> <summary> Thinking... </summary>\n${reasoning}\n</details>\n\n`
    : ''
  const answer = thought + text
  if (body.response_mode !== 'streaming')
    return sendJson(call, { event: 'message', mode: 'chat', answer, ...PLACE, ...METADATA })
  const pieces = cut(answer).map((piece) => ({ event: 'message', answer: piece, ...PLACE }))
  const broken = feature === 'mid-stream break'
  if (broken) return sendStream(call, events(...pieces.slice(0, -1)), { broken })
  sendStream(call, `event: ping\n\n${events(...pieces, { event: 'message_end', ...PLACE, ...METADATA })}`)
}

/** An agent streams or refuses, and its words are events of another name. */
export const difyAgent: StandIn = paths({
  '/v1/chat-messages': (call) => {
    if (call.body.response_mode === 'streaming') return chat(call)
    sendJson(call, { code: 'invalid_param', message: 'Agent Chat App does not support blocking mode' }, { status: 400 })
  },
})

/** A chat app of Dify, with the store that images are first brought to. */
export const dify: StandIn = paths({
  '/v1/chat-messages': chat,
  '/v1/files/upload': (call) =>
    sendJson(call, { id: 'file-1', name: 'image.png', mime_type: 'image/png' }, { status: 201 }),
})
