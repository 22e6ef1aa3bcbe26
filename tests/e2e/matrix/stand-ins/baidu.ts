import { COMPLETION_TOKENS, ERROR_TEXT, MEANT, type Meant, PROMPT_TOKENS, TOTAL_TOKENS } from '../meant.ts'
import { events, paths, type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

const TOKEN = '24.matrix'

const token: StandIn = (call) => {
  const { query } = call
  const isKnown = query.get('client_id') === 'key-of-the-matrix' && query.get('grant_type') === 'client_credentials'
  if (!isKnown) return sendJson(call, { error: 'invalid_client', error_description: 'unknown client id' })
  sendJson(call, { access_token: TOKEN, expires_in: 2_592_000 })
}

const chat: StandIn = (call) => {
  const { body, query, feature = 'plain' } = call
  if (query.get('access_token') !== TOKEN) return sendJson(call, { error_code: 110, error_msg: 'Access token invalid' })
  if (feature === 'error') return sendJson(call, { error_code: 336100, error_msg: ERROR_TEXT })
  const replies = repliesOf(MEANT[feature])
  if (!body.stream) return sendJson(call, { ...replies.at(-1), result: replies.map(({ result }) => result).join('') })
  const broken = feature === 'mid-stream break'
  sendStream(call, events(...(broken ? replies.slice(0, -1) : replies)), { broken })
}

/** The first version of Baidu's chat: one call in a reply at most, errors with status 200, no `[DONE]`. */
export const baidu: StandIn = paths({
  '/oauth/2.0/token': token,
  '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions': chat,
})

function repliesOf({ text, calls }: Meant) {
  const pieces = text ? cut(text) : ['']
  const [call] = calls ?? []
  return pieces.map((result, sentence_id) => {
    const is_end = sentence_id === pieces.length - 1
    return {
      id: 'as-1',
      object: 'chat.completion',
      created: 1_700_000_000,
      sentence_id,
      is_end,
      is_truncated: false,
      need_clear_history: false,
      result,
      ...(is_end && { finish_reason: call ? 'function_call' : 'normal' }),
      ...(call && { function_call: { name: call.name, arguments: JSON.stringify(call.args), thoughts: '' } }),
      // So far in all.
      usage: { prompt_tokens: PROMPT_TOKENS, completion_tokens: COMPLETION_TOKENS, total_tokens: TOTAL_TOKENS },
    }
  })
}
