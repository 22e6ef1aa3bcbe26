import { COMPLETION_TOKENS, ERROR_TEXT, type Feature, MEANT, PROMPT_TOKENS, TOTAL_TOKENS } from '../meant.ts'
import type { MockUpstream } from '../mock-upstreams.ts'
import { cut } from './cut.ts'

const FIRST = 0
const MIDDLE = 1
const LAST = 2

/** Spark's websocket: one request and its frames; errors are frames too. */
export const spark: NonNullable<MockUpstream['socket']> = (socket, hear) => {
  socket.once('message', (message) => {
    const feature = hear(message as Buffer) ?? 'plain'
    const frames = framesFor(feature)
    for (const frame of frames) socket.send(JSON.stringify(frame))
    if (feature === 'mid-stream break') socket.terminate()
    else socket.close()
  })
}

function framesFor(feature: Feature) {
  if (feature === 'error') return [{ header: { code: 10012, message: ERROR_TEXT, sid: 'cht1', status: LAST } }]
  const { text, reasoning } = MEANT[feature]
  const frames = [
    ...cut(reasoning).map((piece) => ({ content: '', reasoning_content: piece })),
    ...cut(text).map((content) => ({ content })),
  ]
  const kept = feature === 'mid-stream break' ? frames.slice(0, -1) : frames
  return kept.map((piece, seq) => {
    const status = feature !== 'mid-stream break' && seq === frames.length - 1 ? LAST : seq === 0 ? FIRST : MIDDLE
    return {
      header: { code: 0, message: 'Success', sid: 'cht1', status },
      payload: {
        choices: { status, seq, text: [{ ...piece, role: 'assistant', index: 0 }] },
        ...(status === LAST && { usage: { text: USAGE } }),
      },
    }
  })
}

const USAGE = {
  question_tokens: 4,
  prompt_tokens: PROMPT_TOKENS,
  completion_tokens: COMPLETION_TOKENS,
  total_tokens: TOTAL_TOKENS,
}
