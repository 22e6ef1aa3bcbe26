import type { ServerResponse } from 'node:http'
import { finished, Readable } from 'node:stream'
import type { Actor } from '../../core/actor.ts'
import { GatewayError } from '../../core/errors.ts'

const EXPORTS_MAX = 2
const RETRY_AFTER_S = 10
/** Maximum time for a client to read one chunk. After this time, the export ends. */
const STALLED_MS = 10 * 60_000

/**
 * Streams texts as one long reply. Allows one export per user and two per process, because exports occupy the event
 * loop. Throws RATE_LIMITED.
 */
type ExportAnswer = (actor: Actor, response: ServerResponse, texts: AsyncIterable<string>) => Readable

export function createLogExports(): ExportAnswer {
  const exportingUsers = new Set<number>()
  return ({ id }, response, texts) => {
    if (exportingUsers.size >= EXPORTS_MAX || exportingUsers.has(id)) {
      throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_S })
    }
    exportingUsers.add(id)
    let isReleased = false
    // A second call must have no effect, because the user may have started another export.
    const release = () => {
      if (!isReleased) exportingUsers.delete(id)
      isReleased = true
    }
    finished(response, release)
    return streamTexts(texts, release)
  }
}

function streamTexts(texts: AsyncIterable<string>, release: () => void): Readable {
  // The stream buffers only one text, to save memory if the client reads slowly.
  const answer: Readable = Readable.from(limitReadTime(), { highWaterMark: 1 })
  async function* limitReadTime(): AsyncGenerator<string> {
    for await (const text of texts) {
      const stallTimer = setTimeout(() => answer.destroy(new Error('the export is not read')), STALLED_MS)
      try {
        yield text
      } finally {
        clearTimeout(stallTimer)
      }
    }
    // All rows are read, so the user may start another export while the last bytes are sent.
    release()
  }
  return answer
}
