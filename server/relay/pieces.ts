import type { ReplyEvent } from './conversation/conversation.ts'
import type { StreamEvent } from './events.ts'
import { createSplitter } from './framing.ts'
import type { Plan, ReplyReader } from './providers/provider.ts'
import { EVENT_BYTES_MAX } from './sse.ts'
import type { UpstreamReply } from './upstream-reply.ts'

/** An event, and what it says. The end of a body may say something without an event. */
export interface Piece {
  event: StreamEvent | undefined
  steps: ReplyEvent[]
}

/** A stream as it is read, in the batches it arrives in. */
export interface Pieces {
  /** The next batch, never an empty one; undefined at the end. Rejects for what breaks the stream: it is closed then. */
  next(): Promise<readonly Piece[] | undefined>
  /** To be read once more, before all that follows. */
  putBack(pieces: readonly Piece[]): void
  /** Ends the exchange, if it has not ended by itself. */
  close(): void
}

/**
 * The pieces of a reply. Comments and keep-alives are left out. Plain promises: with generators one inside another, handing
 * a chunk on cost more than all that is done with it.
 */
export function readPieces(
  { body }: { body: Pick<UpstreamReply['body'], 'read' | 'destroy'> },
  { plan, reader }: { plan: Pick<Plan, 'framing' | 'plainText'>; reader: ReplyReader },
): Pieces {
  const splitter = createSplitter(plan)
  let waiting: readonly Piece[] = []
  let ended = false
  let silentBytes = 0

  const toPiece = (event: StreamEvent): Piece => ({ event, steps: reader.event(event) })

  async function read(): Promise<readonly Piece[] | undefined> {
    for (let bytes = await body.read(); bytes; bytes = await body.read()) {
      const events = splitter.push(bytes)
      silentBytes = events.length > 0 ? 0 : silentBytes + bytes.length
      if (silentBytes > EVENT_BYTES_MAX) throw new RangeError('An upstream sends nothing but comments')
      if (events.length > 0) return events.map(toPiece)
    }
    ended = true
    const last = splitter.flush().map(toPiece)
    const steps = reader.close?.() ?? []
    if (steps.length > 0) last.push({ event: undefined, steps })
    return last.length > 0 ? last : undefined
  }

  function close(): void {
    ended = true
    waiting = []
    body.destroy()
  }

  return {
    async next() {
      if (waiting.length > 0) {
        const pieces = waiting
        waiting = []
        return pieces
      }
      if (ended) return undefined
      try {
        return await read()
      } catch (error) {
        close()
        throw error
      }
    },
    putBack(pieces) {
      waiting = pieces
    },
    close,
  }
}
