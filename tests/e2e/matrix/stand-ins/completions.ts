import { COMPLETION_TOKENS, MEANT, PROMPT_TOKENS, TOTAL_TOKENS } from '../meant.ts'
import { events, type StandIn, sendJson, sendStream } from '../mock-upstreams.ts'
import { failAsOpenAi } from './chat.ts'
import { cut } from './cut.ts'

const HEAD = { id: 'cmpl-1', object: 'text_completion', created: 1_700_000_000, model: 'model-of-the-upstream' }
const USAGE = { prompt_tokens: PROMPT_TOKENS, completion_tokens: COMPLETION_TOKENS, total_tokens: TOTAL_TOKENS }

/** OpenAI's old text completions, which the ready-made mock does not have. */
export const completions: StandIn = (call) => {
  const { body, feature = 'plain' } = call
  if (feature === 'error') return failAsOpenAi(call)
  const { text = '' } = MEANT[feature]
  const piece = (said: string, finish_reason: string | null) => ({
    ...HEAD,
    choices: [{ index: 0, text: said, logprobs: null, finish_reason }],
  })
  if (!body.stream) return sendJson(call, { ...piece(text, 'stop'), usage: USAGE })
  const broken = feature === 'mid-stream break'
  const pieces = cut(text).map((said) => piece(said, null))
  if (broken) return sendStream(call, events(...pieces.slice(0, -1)), { broken })
  sendStream(call, events(...pieces, piece('', 'stop'), { ...HEAD, choices: [], usage: USAGE }, '[DONE]'))
}
