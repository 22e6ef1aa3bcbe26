import type { ServerResponse } from 'node:http'
import { finished, Readable } from 'node:stream'
import type { Actor } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'

const EXPORTS_MAX = 2
const RETRY_AFTER_S = 10
/** Whoever reads nothing for so long keeps others from it no longer. */
const STALLED_MS = 10 * 60_000

/**
 * Texts as one long answer, one at a time for each user and two in this process: each keeps the thread busy that answers all other calls.
 * Throws RATE_LIMITED.
 */
export type ExportAnswer = (actor: Actor, response: ServerResponse, texts: AsyncIterable<string>) => Readable

export function createExports(): ExportAnswer {
  const busy = new Set<number>()
  return ({ id }, response, texts) => {
    if (busy.size >= EXPORTS_MAX || busy.has(id)) {
      throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_S })
    }
    busy.add(id)
    let isOver = false
    const release = () => {
      if (!isOver) busy.delete(id)
      isOver = true
    }
    finished(response, release)
    return read(texts, release)
  }
}

function read(texts: AsyncIterable<string>, release: () => void): Readable {
  // One text ahead is enough: more would be kept in memory for readers that are slow.
  const answer: Readable = Readable.from(watched(), { highWaterMark: 1 })
  async function* watched(): AsyncGenerator<string> {
    for await (const text of texts) {
      const stalled = setTimeout(() => answer.destroy(new Error('nobody reads the export')), STALLED_MS)
      try {
        yield text
      } finally {
        clearTimeout(stalled)
      }
    }
    // Who has all rows may ask for the next ones, though the last are still on their way.
    release()
  }
  return answer
}
