import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Plan, ReplyReader, TextEvent } from '../providers/provider.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import type { StreamEvent } from './events.ts'
import { createSplitter, hasContent } from './framing.ts'
import { Pattern } from './patterns.ts'
import { EVENT_BYTES_MAX } from './sse.ts'
import { type Flow, STOP, type UpstreamReply } from './upstream-reply.ts'

/** An event of a stream, and the reply events that it means. `event` may be undefined at the end of a body. */
export interface StreamChunk {
  event: StreamEvent | undefined
  steps: ReplyEvent[]
  /** Set if the chunk contains only text of the reply. */
  isPlain?: true
}

/** Reads a stream in the batches in which it arrives. */
export interface ChunkReader {
  /**
   * Returns the next batch, or undefined at the end. A batch is never empty. On an error, closes the stream and
   * rejects.
   */
  next(): Promise<readonly StreamChunk[] | undefined>
  /** Passes all further batches to `take`, as `UpstreamBody.flow` does. */
  flow(take: (pieces: readonly StreamChunk[]) => Flow): Promise<void>
  /** Gives chunks back to the reader. They are the next batch. */
  putBack(pieces: readonly StreamChunk[]): void
  /** Ends the exchange with the upstream, unless it has ended already. */
  close(): void
}

/**
 * Maximum number of patterns per stream. If so many do not match, the upstream's events differ in more than their text.
 */
const PATTERNS_MAX = 24
/** Maximum number of consecutive events without content. More would waste CPU time. */
const SILENT_EVENTS_MAX = 10_000

/** Adds an error that the vendor's reader does not recognize. A proxy in front of the upstream may send one. */
function withForeignError(steps: ReplyEvent[], { chunk }: StreamEvent): ReplyEvent[] {
  if (!chunk || steps.some(({ kind }) => kind !== 'start') || !isReplyError(chunk)) return steps
  return [{ kind: 'error', error: replyError(chunk) }]
}

/**
 * Returns a reader of a reply's chunks, which skips comments and keep-alives.
 *
 * Nested generators would be simpler, but passing a chunk through them costs more than all other work on it.
 */
export function readChunks(
  { body }: { body: Pick<UpstreamReply['body'], 'read' | 'flow' | 'destroy'> },
  { plan, reader }: { plan: Pick<Plan, 'framing' | 'readsNonJsonEvents'>; reader: ReplyReader },
): ChunkReader {
  const splitter = createSplitter(plan)
  let waiting: readonly StreamChunk[] = []
  let ended = false
  let silentBytes = 0
  let silentEvents = 0

  // Learn patterns only from server-sent events. JSON lines also differ in times, and binary frames in checksums.
  const learns = reader.repeatText !== undefined && (plan.framing ?? 'sse') === 'sse'
  let pattern: Pattern | undefined
  let patterns = 0
  /** The only reply event of the stream event that became the pattern. */
  let patternStep: TextEvent | undefined

  function matchPattern(event: StreamEvent): StreamChunk | undefined {
    const text = pattern ? pattern.textOf(event.bytes) : ''
    const steps = patternStep && text !== '' ? reader.repeatText?.(patternStep, text) : undefined
    if (!steps) return undefined
    event.repeats = pattern?.event
    return { event, steps, isPlain: true }
  }

  function learn(event: StreamEvent, [step, ...others]: readonly ReplyEvent[]): void {
    if (!step || others.length > 0 || !isTextStep(step) || patterns++ >= PATTERNS_MAX) return
    patternStep = step
    pattern = Pattern.of(event, step.text)
  }

  function toPieces(events: readonly StreamEvent[]): StreamChunk[] {
    const pieces: StreamChunk[] = []
    for (const event of events) {
      const piece = matchPattern(event)
      if (piece) pieces.push(piece)
      else if (hasContent(event, plan)) {
        const steps = withForeignError(reader.event(event), event)
        if (learns) learn(event, steps)
        pieces.push({ event, steps })
      }
    }
    return pieces
  }

  function piecesOf(bytes: Buffer): readonly StreamChunk[] {
    const events = splitter.push(bytes)
    const pieces = toPieces(events)
    const isSilent = pieces.length === 0
    silentBytes = isSilent ? silentBytes + bytes.length : 0
    silentEvents = isSilent ? silentEvents + events.length : 0
    if (silentBytes > EVENT_BYTES_MAX || silentEvents > SILENT_EVENTS_MAX)
      throw new RangeError('The upstream sends only comments')
    return pieces
  }

  async function read(): Promise<readonly StreamChunk[] | undefined> {
    for (let bytes = await body.read(); bytes; bytes = await body.read()) {
      const pieces = piecesOf(bytes)
      if (pieces.length > 0) return pieces
    }
    return atEnd()
  }

  function atEnd(): readonly StreamChunk[] | undefined {
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

const isTextStep = (step: ReplyEvent): step is TextEvent => step.kind === 'text' || step.kind === 'reasoning'
