import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HeaderList } from '../../header-list.ts'
import { errorInEvents, hasEnd, type StreamReply } from '../attempt/open-reply.ts'
import type { End } from '../charging/charge.ts'
import type { HoldExtender } from '../charging/extend.ts'
import { saysSomething } from '../charging/meter.ts'
import type { ReplyError } from '../conversation/conversation.ts'
import type { StreamChunk } from '../transport/chunks.ts'
import { type Flow, STOP } from '../transport/upstream-reply.ts'
import type { Interruption } from './interruption.ts'

/** Headers of a stream. `x-accel-buffering` disables buffering in proxies. */
export const STREAM_HEADERS: HeaderList = ['cache-control', 'no-cache', 'x-accel-buffering', 'no']

/** Maximum time for the upstream to close its body after its end marker. */
const DRAIN_MS = 1000
/** Maximum silence of an upstream after a stop reason. Some upstreams send more output after a stop reason. */
const SILENT_MS = 10_000
/** Time without output after which the client gets a ping. */
const PING_MS = 15_000

/** Writes the chunks of a stream in the client's format. */
export interface ResponseWriter {
  /** Returns the output for chunks, or '' if the chunks have no output. */
  write(chunks: readonly StreamChunk[]): Buffer | string
  /** Whether the client could treat the reply as complete after this chunk. Such a chunk waits for the charge. */
  isLast(chunk: StreamChunk): boolean
  /** The text that keeps an idle connection open. */
  ping: string
}

/**
 * Limits for reading a stream after its client has disconnected. The client is charged for the output within these
 * limits.
 */
const READ_ON_MS = 120_000
const READ_ON_BYTES_MAX = 16 * 1024 * 1024

/** How a stream ended, and the chunks that must wait until the charge is committed. */
interface Delivered {
  end: End
  /** Whether the upstream completed the reply after the client disconnected. Undefined without a disconnect. */
  isRead?: boolean
  /** The error that the upstream reported. */
  error?: ReplyError
  pendingTail: readonly StreamChunk[]
}

/**
 * Returns the result of `deliverStream` for a stream that arrived whole, or undefined if the stream must be delivered.
 * Nothing is sent before the charge, so the client gets the whole reply in one write.
 */
export function deliveredWhole(
  { isWhole, head, meter, rest }: StreamReply,
  {
    interruption,
    hold,
    coveredTokens,
  }: { interruption: Interruption; hold: HoldExtender | undefined; coveredTokens: number },
): Delivered | undefined {
  if (!isWhole || interruption.isGone()) return undefined
  const isReportCovered = meter.usage !== undefined && meter.usage.completionTokens <= coveredTokens
  if (hold && !isReportCovered && !hold.isCovered()) return undefined
  interruption.close()
  void drain(rest, interruption)
  return { end: 'complete', pendingTail: head }
}

/**
 * Forwards a stream to the client as it arrives, except for the last chunks. Returns how the stream ended, and the last
 * chunks.
 */
export async function deliverStream(
  response: ServerResponse,
  reply: StreamReply,
  {
    outlet,
    interruption,
    stallTimeoutMs,
    hold,
    completes = false,
    choices = 1,
    pingMs = PING_MS,
    drainMs = DRAIN_MS,
    readOnMs = READ_ON_MS,
  }: {
    outlet: ResponseWriter
    interruption: Interruption
    stallTimeoutMs: number
    /**
     * Extends the hold while output arrives, or aborts the relay. Undefined if the price does not depend on the output.
     */
    hold: HoldExtender | undefined
    /** Whether the upstream is read to its end after the client has disconnected. */
    completes?: boolean
    /** Number of requested replies. One reply may end long before another begins. */
    choices?: number
    pingMs?: number
    drainMs?: number
    readOnMs?: number
  },
): Promise<Delivered> {
  if (completes) interruption.completeWithin(readOnMs)
  const pendingTail: StreamChunk[] = []
  let drainTimer: NodeJS.Timeout | undefined
  const ping = keepAlive(response, { ping: outlet.ping, pingMs })
  const isLast = (chunk: StreamChunk) => outlet.isLast(chunk) || hasStop(chunk)
  // Creates a promise only if needed, because this runs for each chunk of each stream.
  const send = (chunks: readonly StreamChunk[]): Promise<void> | undefined => {
    ping.refresh()
    let toSend = chunks
    if (pendingTail.length > 0) {
      if (!chunks.some(hasContent)) {
        pendingTail.push(...chunks)
        return undefined
      }
      // More output has arrived, so the pending chunks were not the end.
      toSend = [...pendingTail.splice(0), ...chunks]
      clearTimeout(drainTimer)
      drainTimer = undefined
    }
    const last = endIndex(toSend, isLast)
    if (last >= 0) pendingTail.push(...toSend.slice(last))
    return write(response, outlet.write(last < 0 ? toSend : toSend.slice(0, last)), { interruption, stallTimeoutMs })
  }
  let error: ReplyError | undefined
  const take = (chunks: readonly StreamChunk[]): Flow => {
    const errorIndex = chunks.findIndex(hasError)
    // Deliver and meter the output before an error, even if both are in the same packet.
    const chunksBeforeError = errorIndex < 0 ? chunks : chunks.slice(0, errorIndex)
    if (chunks !== reply.head) for (const { events } of chunksBeforeError) reply.meter.read(events)
    if (errorIndex >= 0) error = errorInEvents(chunks[errorIndex]?.events ?? [])
    const sending = send(chunksBeforeError)
    return sending ? sending.then(extendHold) : extendHold()
  }
  const extendHold = (): Flow => {
    if (error || interruption.isDisconnected) return STOP
    const extending = hold?.onProgress()
    return extending ? extending.then(checkEnd) : checkEnd()
  }
  const checkEnd = (): typeof STOP | undefined => {
    if (interruption.cause || pendingTail.some(hasEnd)) return STOP
    if (pendingTail.length === 0) return undefined
    // All choices have stopped. Only the usage and the end marker may follow.
    const { finished, choicesStopped } = reply.meter
    if (finished && choicesStopped >= choices) {
      const waitMs = pendingTail.some(outlet.isLast) ? drainMs : SILENT_MS
      drainTimer ??= setTimeout(() => interruption.endAttempt(), waitMs).unref()
    }
    return undefined
  }
  try {
    if ((await take(reply.head)) !== STOP) await reply.rest.flow(take)
  } catch {
    // Ignore the error. The output so far determines whether the reply is complete.
    reply.rest.close()
  } finally {
    clearTimeout(drainTimer)
    ping.stop()
  }
  if (error) {
    reply.rest.close()
    return { end: 'upstream-broke', error, pendingTail: [] }
  }
  if (interruption.isDisconnected && !interruption.cause) {
    const isRead = pendingTail.some(hasEnd) || (await continueReading(reply, { interruption, hold, choices, drainMs }))
    if (pendingTail.some(hasEnd)) void drain(reply.rest, interruption)
    interruption.close()
    return { end: 'client-gone', isRead, pendingTail: [] }
  }
  interruption.close()
  if (interruption.cause)
    return { end: interruption.isDisconnected ? 'client-gone' : interruption.cause, pendingTail: [] }
  // Read the body to its end, so that the connection can be reused.
  if (pendingTail.some(hasEnd)) void drain(reply.rest, interruption)
  // Without an end marker, a body is complete only if every choice has a stop reason.
  return reply.meter.finished || pendingTail.some(hasEnd)
    ? { end: 'complete', pendingTail }
    : { end: 'upstream-broke', pendingTail: [] }
}

/**
 * Reads the rest of a stream after its client has disconnected, so that the reported usage can be charged. Returns
 * whether the upstream completed the reply within the limits of time, bytes and hold. If not, ends the exchange.
 */
async function continueReading(
  { rest, meter }: StreamReply,
  {
    interruption,
    hold,
    choices,
    drainMs,
  }: { interruption: Interruption; hold: HoldExtender | undefined; choices: number; drainMs: number },
): Promise<boolean> {
  let bytes = 0
  let drainTimer: NodeJS.Timeout | undefined
  const isFinished = () => meter.finished && meter.choicesStopped >= choices
  try {
    for (;;) {
      // All choices have stopped. Only the usage and the end marker may follow.
      if (isFinished()) drainTimer ??= setTimeout(() => interruption.endAttempt(), drainMs).unref()
      const chunks = await rest.next()
      if (!chunks) return meter.finished
      if (chunks.some(hasError)) break
      for (const { event, events } of chunks) {
        meter.read(events)
        bytes += event?.bytes.length ?? 0
      }
      if (chunks.some(hasEnd)) return true
      if (bytes > READ_ON_BYTES_MAX || hold?.isCovered() === false) break
    }
  } catch {
    // The stream broke off, took too long, or did not end after its stop reason.
    return !interruption.cause && isFinished()
  } finally {
    clearTimeout(drainTimer)
    rest.close()
  }
  return false
}

const hasContent = ({ isPlain, events }: StreamChunk): boolean => isPlain === true || saysSomething(events)

/**
 * Returns the index of the chunk at which the end of the reply begins, or -1 if these chunks have no end. A stop reason
 * before more output is not the end. The format's end marker is always the end.
 */
function endIndex(chunks: readonly StreamChunk[], isLast: (chunk: StreamChunk) => boolean): number {
  const first = chunks.findIndex((chunk) => !chunk.isPlain && isLast(chunk))
  if (first < 0) return first
  const lastContent = chunks.findLastIndex(hasContent)
  return chunks.findIndex((chunk, index) => index >= first && (index >= lastContent || hasEnd(chunk)) && isLast(chunk))
}

const hasError = ({ isPlain, events }: StreamChunk): boolean => !isPlain && errorInEvents(events) !== undefined

/** Whether a chunk has a stop reason. A plain loop, because this function runs for each chunk of each stream. */
function hasStop({ events }: StreamChunk): boolean {
  for (const { kind } of events) if (kind === 'stop') return true
  return false
}

/** Reads a body to its end. Closes the connection if the upstream takes longer than `DRAIN_MS`. */
async function drain(rest: StreamReply['rest'], interruption: Interruption): Promise<void> {
  const timer = setTimeout(() => interruption.endAttempt(), DRAIN_MS).unref()
  try {
    while (await rest.next());
  } catch {
    // Ignore data after the end.
  } finally {
    clearTimeout(timer)
  }
}

function keepAlive(
  response: ServerResponse,
  { ping, pingMs }: { ping: string; pingMs: number },
): { refresh(): void; stop(): void } {
  const timer = setTimeout(() => {
    // Skip the ping while the client is not reading.
    if (!response.writableNeedDrain && !response.destroyed) response.write(ping)
    timer.refresh()
  }, pingMs).unref()
  return { refresh: () => void timer.refresh(), stop: () => clearTimeout(timer) }
}

/**
 * Writes data to the client. If the client reads more slowly than the upstream sends, returns a promise that resolves
 * when the client has caught up. A client that reads nothing for `stallTimeoutMs` counts as disconnected.
 */
export function write(
  response: ServerResponse,
  data: Buffer | string,
  { interruption, stallTimeoutMs }: { interruption: Interruption; stallTimeoutMs: number },
): Promise<void> | undefined {
  if (data.length === 0 || interruption.isDisconnected) return undefined
  if (response.write(data) || interruption.cause) return undefined
  return new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      response.off('drain', end)
      response.off('close', end)
      interruption.signal.off('abort', end)
      resolve()
    }
    const timer = setTimeout(() => {
      interruption.disconnect()
      response.destroy()
      end()
    }, stallTimeoutMs)
    response.once('drain', end)
    response.once('close', end)
    interruption.signal.once('abort', end)
  })
}

/** Time between two texts. Texts written at shorter intervals may arrive in one read. */
const APART_MS = 50

/** Ends a response with several texts. Waits between the texts, so that the client reads each text separately. */
export async function endApart(response: ServerResponse, [first, ...others]: readonly string[]): Promise<void> {
  response.write(first ?? '')
  for (const text of others) {
    await sleep(APART_MS)
    response.write(text)
  }
  response.end()
}
