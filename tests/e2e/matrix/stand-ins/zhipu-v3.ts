import { COMPLETION_TOKENS, ERROR_TEXT, MEANT, PROMPT_TOKENS, TOTAL_TOKENS } from '../meant.ts'
import { type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

const USAGE = { prompt_tokens: PROMPT_TOKENS, completion_tokens: COMPLETION_TOKENS, total_tokens: TOTAL_TOKENS }

/** Zhipu's third API: bare text behind `data:`, its usage behind `meta:`, errors with status 200. */
export const zhipuV3: StandIn = (call) => {
  const { path, feature = 'plain' } = call
  if (feature === 'error') return sendJson(call, { code: 500, msg: ERROR_TEXT, success: false })
  const { text = '' } = MEANT[feature]
  if (path.endsWith('/invoke')) {
    const choices = [{ role: 'assistant', content: JSON.stringify(text) }]
    const data = { task_id: '1', request_id: '2', task_status: 'SUCCESS', choices, usage: USAGE }
    return sendJson(call, { code: 200, msg: 'ok', success: true, data })
  }
  const pieces = cut(text).map((piece) => `id: 1\nevent: add\ndata:${piece}\n\n`)
  const meta = JSON.stringify({ request_id: '2', task_id: '1', task_status: 'SUCCESS', usage: USAGE })
  const broken = feature === 'mid-stream break'
  if (broken) return sendStream(call, pieces.slice(0, -1).join(''), { broken })
  sendStream(call, `${pieces.join('')}id: 1\nevent: finish\ndata:\nmeta:${meta}\n\n`)
}
