import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Plan, ReplyReader, TextStep } from '../providers/provider.ts'
import type { StreamEvent } from './events.ts'
import { createSplitter, isSomething } from './framing.ts'
import { Pattern } from './patterns.ts'
import { EVENT_BYTES_MAX } from './sse.ts'
import { type Flow, STOP, type UpstreamReply } from './upstream-reply.ts'

/** An event, and what it says. The end of a body may say something without an event. */
export interface Piece {
  event: StreamEvent | undefined
  steps: ReplyEvent[]
  /** Text of the reply and nothing else. */
  isPlain?: true
}

/** A stream as it is read, in the batches it arrives in. */
export interface Pieces {
  /** The next batch, never an empty one; undefined at the end. Rejects for what breaks the stream: it is closed then. */
  next(): Promise<readonly Piece[] | undefined>
  /** Hands all batches that follow to `take`, as `UpstreamBody.flow` does. */
  flow(take: (pieces: readonly Piece[]) => Flow): Promise<void>
  /** To be read once more, before all that follows. */
  putBack(pieces: readonly Piece[]): void
  /** Ends the exchange, if it has not ended by itself. */
  close(): void
}

/** An upstream whose events differ in more than their text is compared no more after so many. */
const PATTERNS_MAX = 24
/** More events without a meaning than this, one after another, are an attack on the processor. */
const SILENT_EVENTS_MAX = 10_000

/**
 * The pieces of a reply. Comments and keep-alives are left out. Plain promises: with generators one inside another, handing
 * a chunk on cost more than all that is done with it.
 */
export function readPieces(
  { body }: { body: Pick<UpstreamReply['body'], 'read' | 'flow' | 'destroy'> },
  { plan, reader }: { plan: Pick<Plan, 'framing' | 'plainText'>; reader: ReplyReader },
): Pieces {
  const splitter = createSplitter(plan)
  let waiting: readonly Piece[] = []
  let ended = false
  let silentBytes = 0
  let silentEvents = 0

  // Only server-sent events stay the same but for their text: lines have times in them, and frames a checksum.
  const learns = reader.again !== undefined && (plan.framing ?? 'sse') === 'sse'
  let pattern: Pattern | undefined
  let patterns = 0
  /** The one step of the event that is the pattern. */
  let said: TextStep | undefined

  function repeated(event: StreamEvent): Piece | undefined {
    const text = pattern ? pattern.textOf(event.bytes) : ''
    const steps = said && text !== '' ? reader.again?.(said, text) : undefined
    if (!steps) return undefined
    event.repeats = pattern?.event
    return { event, steps, isPlain: true }
  }

  function learn(event: StreamEvent, [step, ...others]: readonly ReplyEvent[]): void {
    if (!step || others.length > 0 || !isTextStep(step) || patterns++ >= PATTERNS_MAX) return
    said = step
    pattern = Pattern.of(event, step.text)
  }

  function toPieces(events: readonly StreamEvent[]): Piece[] {
    const pieces: Piece[] = []
    for (const event of events) {
      const piece = repeated(event)
      if (piece) pieces.push(piece)
      else if (isSomething(event, plan)) {
        const steps = reader.event(event)
        if (learns) learn(event, steps)
        pieces.push({ event, steps })
      }
    }
    return pieces
  }

  function piecesOf(bytes: Buffer): readonly Piece[] {
    const events = splitter.push(bytes)
    const pieces = toPieces(events)
    const isSilent = pieces.length === 0
    silentBytes = isSilent ? silentBytes + bytes.length : 0
    silentEvents = isSilent ? silentEvents + events.length : 0
    if (silentBytes > EVENT_BYTES_MAX || silentEvents > SILENT_EVENTS_MAX)
      throw new RangeError('An upstream sends nothing but comments')
    return pieces
  }

  async function read(): Promise<readonly Piece[] | undefined> {
    for (let bytes = await body.read(); bytes; bytes = await body.read()) {
      const pieces = piecesOf(bytes)
      if (pieces.length > 0) return pieces
    }
    return atEnd()
  }

  function atEnd(): readonly Piece[] | undefined {
    ended = true
    const last = toPieces(splitter.flush())
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
    async flow(take) {
      const first = waiting
      waiting = []
      try {
        if (first.length > 0 && (await take(first)) === STOP) return
        if (ended) return
        const after = await body.flow((bytes) => {
          const pieces = piecesOf(bytes)
          return pieces.length > 0 ? take(pieces) : undefined
        })
        const last = after === STOP ? undefined : atEnd()
        if (last) await take(last)
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

const isTextStep = (step: ReplyEvent): step is TextStep => step.kind === 'text' || step.kind === 'reasoning'
