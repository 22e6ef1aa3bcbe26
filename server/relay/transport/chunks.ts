import type { ReplyEvent } from '../conversation/conversation.ts'
import type { Plan, ReplyReader, TextEvent } from '../providers/provider.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import type { StreamEvent } from './events.ts'
import { createSplitter, hasContent, Repetitions } from './framing.ts'
import { Pattern, Window } from './patterns.ts'
import { EVENT_BYTES_MAX } from './sse.ts'
import { type Flow, STOP, type UpstreamReply } from './upstream-reply.ts'

/**
 * An event of an upstream's stream, and its reply events. `event` is undefined for reply events without bytes. Adjacent
 * events of a native reply that contain only text are one chunk.
 */
export interface StreamChunk {
  event: StreamEvent | undefined
  events: ReplyEvent[]
  /** If set, the chunk contains only text of the reply. */
  isPlain?: true
}

/** Reads a stream in groups: a group has the chunks that arrive together. */
export interface ChunkReader {
  /**
   * Returns the next group, which is never empty, or undefined at the end. On an error, closes the stream and rejects.
   */
  next(): Promise<readonly StreamChunk[] | undefined>
  /** Passes all further groups to `take`, as `UpstreamBody.flow` does. */
  flow(take: (chunks: readonly StreamChunk[]) => Flow): Promise<void>
  /** Gives chunks back to the reader, which returns them as the next group. */
  putBack(chunks: readonly StreamChunk[]): void
  /** Ends the exchange with the upstream, unless it has ended already. */
  close(): void
}

/** The reader of a stream that has ended. */
export const ENDED_READER: ChunkReader = {
  next: async () => undefined,
  flow: async () => {},
  putBack() {},
  close() {},
}

/**
 * Maximum number of patterns per stream. A pattern is an event with which later events are compared. An event that does
 * not match becomes the next pattern. Events that need more patterns differ in more than their text, so patterns would
 * save no time.
 */
const PATTERNS_MAX = 24
/** Maximum number of consecutive events without content. More would waste CPU time. */
const SILENT_EVENTS_MAX = 10_000

/**
 * Returns the reply events of an event, or its error if the reader does not recognize the error. A proxy in front of
 * the upstream may send such an error.
 */
function withForeignError(replyEvents: ReplyEvent[], { payload }: StreamEvent): ReplyEvent[] {
  if (!payload || replyEvents.some(({ kind }) => kind !== 'start') || !isReplyError(payload)) return replyEvents
  return [{ kind: 'error', error: replyError(payload) }]
}

/**
 * Returns a reader of a reply's chunks, which skips comments and keep-alives.
 *
 * Nested generators would be simpler, but they would cost more for each chunk than all other work.
 */
export function readChunks(
  { body }: { body: Pick<UpstreamReply['body'], 'read' | 'flow' | 'destroy'> },
  { plan, reader }: { plan: Pick<Plan, 'framing' | 'readsNonJsonEvents' | 'native'>; reader: ReplyReader },
): ChunkReader {
  const splitter = createSplitter(plan)
  let putBackChunks: readonly StreamChunk[] = []
  let ended = false
  let silentBytes = 0
  let silentEvents = 0

  // Learn patterns only from server-sent events. JSON lines also differ in timestamps, and binary frames in checksums.
  const learns = reader.repeatText !== undefined && (plan.framing ?? 'sse') === 'sse'
  let pattern: Pattern | undefined
  let patterns = 0
  /** The only reply event that the reader returned for the pattern. */
  let patternEvent: TextEvent | undefined
  const window = new Window()

  let chunks: StreamChunk[] = []
  let unrepeatedEvents = 0
  /** The last chunk of `chunks`, if further repetitions may be added. */
  let openChunk: (StreamChunk & { event: Repetitions }) | undefined
  /** The text of the added repetitions. */
  let addedText = ''

  const taker = {
    take(event: StreamEvent): void {
      closeChunk()
      unrepeatedEvents++
      if (!hasContent(event, plan)) return
      const replyEvents = withForeignError(reader.event(event), event)
      if (learns) learn(event, replyEvents)
      chunks.push({ event, events: replyEvents })
    },
    takeRepetitions(bytes: Buffer, start: number, end: number): number {
      if (!pattern || start === end) return start
      window.cover(bytes, start, end)
      let position = start
      for (;;) {
        const eventEnd = pattern.endOfMatch(window, position)
        if (eventEnd === 0 || !takeRepetition(bytes, position, eventEnd, pattern)) return position
        position = eventEnd
      }
    },
  }

  /** Takes an event that matches the pattern. Returns false if the reader must read it. */
  function takeRepetition(bytes: Buffer, start: number, end: number, { event, matchedText }: Pattern): boolean {
    if (openChunk?.event.add(bytes, start, end)) {
      addedText += matchedText
      return true
    }
    closeChunk()
    const replyEvents = repeat(matchedText)
    if (!replyEvents) return false
    const chunk = { event: new Repetitions(event, bytes, start, [end]), events: replyEvents, isPlain: true as const }
    chunks.push(chunk)
    if (plan.native) openChunk = chunk
    return true
  }

  const repeat = (text: string) => patternEvent && reader.repeatText?.(patternEvent, text)

  function closeChunk(): void {
    // The reader accepted the first repetition and has read no event since, so it accepts the others, too.
    if (addedText !== '') openChunk?.events.push(...(repeat(addedText) ?? []))
    openChunk = undefined
    addedText = ''
  }

  function learn(event: StreamEvent, [replyEvent, ...others]: readonly ReplyEvent[]): void {
    if (!replyEvent || others.length > 0 || !isTextEvent(replyEvent) || patterns++ >= PATTERNS_MAX) return
    patternEvent = replyEvent
    pattern = Pattern.of(event, replyEvent.text)
  }

  function takeChunks(): StreamChunk[] {
    closeChunk()
    const taken = chunks
    chunks = []
    return taken
  }

  function chunksIn(bytes: Buffer): readonly StreamChunk[] {
    unrepeatedEvents = 0
    splitter.push(bytes, taker)
    window.clear()
    const isSilent = chunks.length === 0
    silentBytes = isSilent ? silentBytes + bytes.length : 0
    silentEvents = isSilent ? silentEvents + unrepeatedEvents : 0
    if (silentBytes > EVENT_BYTES_MAX || silentEvents > SILENT_EVENTS_MAX)
      throw new RangeError('The upstream sends only comments')
    return takeChunks()
  }

  async function read(): Promise<readonly StreamChunk[] | undefined> {
    for (let bytes = await body.read(); bytes; bytes = await body.read()) {
      const chunks = chunksIn(bytes)
      if (chunks.length > 0) return chunks
    }
    return atEnd()
  }

  function atEnd(): readonly StreamChunk[] | undefined {
    ended = true
    splitter.flush(taker)
    const last = takeChunks()
    const replyEvents = reader.close?.() ?? []
    if (replyEvents.length > 0) last.push({ event: undefined, events: replyEvents })
    return last.length > 0 ? last : undefined
  }

  function close(): void {
    ended = true
    putBackChunks = []
    body.destroy()
  }

  return {
    async next() {
      if (putBackChunks.length > 0) {
        const chunks = putBackChunks
        putBackChunks = []
        return chunks
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
      const first = putBackChunks
      putBackChunks = []
      try {
        if (first.length > 0 && (await take(first)) === STOP) return
        if (ended) return
        const flowResult = await body.flow((bytes) => {
          const chunks = chunksIn(bytes)
          return chunks.length > 0 ? take(chunks) : undefined
        })
        const last = flowResult === STOP ? undefined : atEnd()
        if (last) await take(last)
      } catch (error) {
        close()
        throw error
      }
    },
    putBack(chunks) {
      putBackChunks = chunks
    },
    close,
  }
}

const isTextEvent = (replyEvent: ReplyEvent): replyEvent is TextEvent =>
  replyEvent.kind === 'text' || replyEvent.kind === 'reasoning'
