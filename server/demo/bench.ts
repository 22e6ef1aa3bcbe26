import { body, CHAT, type DemoReply, frames } from './reply.ts'
import type { DemoChatRequest } from './request.ts'
import { chatTokens, usageOf } from './usage.ts'

/**
 * Prefix of models that reply with constant pieces. The number of pieces is the request's maximum of tokens (default:
 * 16). The replies are prepared buffers.
 */
export const BENCH_MODEL = 'sim-bench'

const PIECES_DEFAULT = 16
const PIECES_MAX = 100_000
const CACHE_MAX = 64
const PIECE = ' token'

interface PreparedReply {
  whole: Buffer
  first: Buffer
  next: Buffer
  last: Buffer
  pieces: number
}

/** Caches prepared replies, so that a benchmark does not measure their formatting. */
export function createBenchReplies() {
  const cache = new Map<string, PreparedReply>()

  const preparedFor = (ask: DemoChatRequest): PreparedReply => {
    const promptTokens = chatTokens(ask.messages)
    const pieces = Math.min(ask.piecesMax ?? PIECES_DEFAULT, PIECES_MAX)
    const key = `${ask.model} ${promptTokens} ${pieces} ${ask.includeUsage}`
    const cachedReply = cache.get(key)
    if (cachedReply) return cachedReply
    if (cache.size >= CACHE_MAX) cache.clear()
    const newReply = prepare(ask, promptTokens, pieces)
    cache.set(key, newReply)
    return newReply
  }

  return {
    body: (ask: DemoChatRequest): Buffer => preparedFor(ask).whole,
    *frames(ask: DemoChatRequest): Generator<Buffer> {
      const { first, next, last, pieces } = preparedFor(ask)
      yield first
      for (let sent = 1; sent < pieces; sent++) yield next
      yield last
    },
  }
}

function prepare(ask: DemoChatRequest, promptTokens: number, pieces: number): PreparedReply {
  const reply = (count: number): DemoReply => ({
    id: 'chatcmpl-bench',
    created: 1_700_000_000,
    ask,
    answers: [{ kind: 'text', pieces: Array.from({ length: count }, () => PIECE), finish: 'length' }],
    usage: usageOf(promptTokens, pieces),
  })
  const [first = '', next = '', last = ''] = frames(CHAT, reply(2))
  const [whole, ...chunks] = [body(CHAT, reply(pieces)), first, next, last].map((text) => Buffer.from(text))
  const [firstBytes, nextBytes, lastBytes] = chunks
  if (!whole || !firstBytes || !nextBytes || !lastBytes) throw new Error('a stream of two pieces has three frames')
  return { whole, first: firstBytes, next: nextBytes, last: lastBytes, pieces }
}
