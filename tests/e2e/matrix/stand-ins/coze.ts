import { COMPLETION_TOKENS, ERROR_TEXT, type Feature, MEANT, PROMPT_TOKENS, TOTAL_TOKENS } from '../meant.ts'
import { events, notFound, paths, type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

const USAGE = { usage: { token_count: TOTAL_TOKENS, output_count: COMPLETION_TOKENS, input_count: PROMPT_TOKENS } }
const chatOf = (feature: string, status: string) => ({
  id: feature,
  conversation_id: 'conversation-1',
  bot_id: 'bot-1',
  status,
  ...(status === 'completed' && USAGE),
})
const answerOf = ({ text = '', reasoning }: { text?: string; reasoning?: string }) => ({
  id: 'message-1',
  role: 'assistant',
  type: 'answer',
  content: text,
  content_type: 'text',
  ...(reasoning && { reasoning_content: reasoning }),
})

const chat: StandIn = (call) => {
  const { body, feature = 'plain' } = call
  if (feature === 'error') return sendJson(call, { code: 5000, msg: ERROR_TEXT })
  // Only one kind is waited for: each look costs a second.
  const status = feature === 'plain' ? 'in_progress' : 'completed'
  if (!body.stream) return sendJson(call, { code: 0, msg: '', data: chatOf(feature, status) })
  const meant = MEANT[feature]
  const deltas = [
    ...cut(meant.reasoning).map((piece) => answerOf({ reasoning: piece })),
    ...cut(meant.text).map((piece) => answerOf({ text: piece })),
  ].map((delta) => ['conversation.message.delta', delta] as const)
  const begun = ['conversation.chat.created', chatOf(feature, 'created')] as const
  const broken = feature === 'mid-stream break'
  if (broken) return sendStream(call, events(begun, ...deltas.slice(0, -1)), { broken })
  const ended = [
    ['conversation.message.completed', answerOf(meant)],
    [
      'conversation.message.completed',
      { ...answerOf({ text: '{"msg_type":"generate_answer_finish"}' }), type: 'verbose' },
    ],
    ['conversation.chat.completed', chatOf(feature, 'completed')],
    ['done', '"[DONE]"'],
  ] as const
  sendStream(call, events(begun, ...deltas, ...ended))
}

const featureOf = (query: URLSearchParams): Exclude<Feature, 'error'> | undefined =>
  Object.keys(MEANT).find((feature) => feature === query.get('chat_id')) as Exclude<Feature, 'error'> | undefined

const list: StandIn = (call) => {
  const feature = featureOf(call.query)
  if (!feature) return notFound(call)
  sendJson(call, {
    code: 0,
    data: [answerOf(MEANT[feature]), { ...answerOf({ text: 'And then?' }), type: 'follow_up' }],
  })
}

/** A bot of Coze: whole replies are looked for until they are there; errors have status 200. */
export const coze: StandIn = paths({
  '/v3/chat': chat,
  '/v3/chat/retrieve': (call) => sendJson(call, { code: 0, data: chatOf(featureOf(call.query) ?? '', 'completed') }),
  '/v3/chat/message/list': list,
  '/v1/files/upload': (call) => sendJson(call, { code: 0, data: { id: 'file-1', file_name: 'image.png' } }),
})
