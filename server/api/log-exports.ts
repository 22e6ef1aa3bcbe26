import type { ServerResponse } from 'node:http'
import { finished, Readable } from 'node:stream'
import type { Actor } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'

const EXPORTS_MAX = 2
const RETRY_AFTER_S = 10
/** An export is aborted if its reader is idle for this long. */
const STALLED_MS = 10 * 60_000

/**
 * Streams texts as one long reply, at most one per user and two per process, because exports occupy the event loop. Throws
 * RATE_LIMITED.
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
  // Buffers one text ahead, to save memory with slow readers.
  const answer: Readable = Readable.from(watched(), { highWaterMark: 1 })
  async function* watched(): AsyncGenerator<string> {
    for await (const text of texts) {
      const stalled = setTimeout(() => answer.destroy(new Error('the export is not read')), STALLED_MS)
      try {
        yield text
      } finally {
        clearTimeout(stalled)
      }
    }
    // All rows are read: the user may start another export while the last bytes are being sent.
    release()
  }
  return answer
}
