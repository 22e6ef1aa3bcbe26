import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorIn, type StreamReply } from '../attempt/open-reply.ts'
import type { End } from '../charging/charge.ts'
import type { HoldExtender } from '../charging/extend.ts'
import { saysSomething } from '../charging/meter.ts'
import type { ReplyError, ReplyEvent } from '../conversation/conversation.ts'
import type { Piece } from '../transport/pieces.ts'
import { type Flow, STOP } from '../transport/upstream-reply.ts'
import type { Interruption } from './interruption.ts'

/** Proxies are told not to buffer. */
export const STREAM_HEADERS = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

/** How long an upstream may take to end its body after what its format has for an end. */
const DRAIN_MS = 1000
/** How long it may say nothing after the model has said why it stopped: some go on all the same. */
const SILENT_MS = 10_000
/** So long nothing may happen before the client is told that somebody is still there. */
const PING_MS = 15_000

/** What a stream is made of for its client, piece by piece. */
export interface Outlet {
  /** What goes out now for these pieces; '' for nothing. */
  write(pieces: readonly Piece[]): Buffer | string
  /** Whether a client may take the reply for whole when it has read this: it waits for the charge. */
  isLast(piece: Piece): boolean
  ping: string
}

/** A client that has disconnected is charged for what the upstream says within this time and these bytes. */
const READ_ON_MS = 120_000
const READ_ON_BYTES_MAX = 16 * 1024 * 1024

/** How a stream ended, and what was held back until its charge is committed. */
export interface Delivered {
  end: End
  /** The upstream has said all, though the client did not get it. */
  isRead?: boolean
  /** What the upstream said was wrong. */
  error?: ReplyError
  held: readonly Piece[]
}

/** Sends a stream on as it arrives, and holds back its end. */
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
    outlet: Outlet
    interruption: Interruption
    stallTimeoutMs: number
    /** Grows with what was produced; may cut the relay. Absent: the price does not depend on it. */
    hold: HoldExtender | undefined
    /** Whether the upstream is read to its end when the client disconnects. */
    completes?: boolean
    /** How many replies were asked for: one may end long before another begins. */
    choices?: number
    pingMs?: number
    drainMs?: number
    readOnMs?: number
  },
): Promise<Delivered> {
  if (completes) interruption.completeWithin(readOnMs)
  const held: Piece[] = []
  let drainBy: NodeJS.Timeout | undefined
  const ping = keepAlive(response, { ping: outlet.ping, pingMs })
  const isLast = (piece: Piece) => outlet.isLast(piece) || hasStop(piece)
  // Nothing is awaited that need not be: this runs for each chunk of each stream.
  const send = (pieces: readonly Piece[]): Promise<void> | undefined => {
    ping.refresh()
    let now = pieces
    if (held.length > 0) {
      if (!pieces.some(isSaying)) {
        held.push(...pieces)
        return undefined
      }
      // What seemed to be the end was none, since more is said.
      now = [...held.splice(0), ...pieces]
      clearTimeout(drainBy)
      drainBy = undefined
    }
    const last = lastOf(now, isLast)
    if (last >= 0) held.push(...now.slice(last))
    return write(response, outlet.write(last < 0 ? now : now.slice(0, last)), { interruption, stallTimeoutMs })
  }
  let error: ReplyError | undefined
  const take = (pieces: readonly Piece[]): Flow => {
    const brokenAt = pieces.findIndex(isBroken)
    // What it said before it broke counts, though both came in one packet.
    const sound = brokenAt < 0 ? pieces : pieces.slice(0, brokenAt)
    if (pieces !== reply.head) for (const { steps } of sound) reply.meter.read(steps)
    if (brokenAt >= 0) error = errorIn(pieces[brokenAt]?.steps ?? [])
    const sending = send(sound)
    return sending ? sending.then(cover) : cover()
  }
  const cover = (): Flow => {
    if (error || interruption.isDisconnected) return STOP
    const extending = hold?.onProgress()
    return extending ? extending.then(lookForEnd) : lookForEnd()
  }
  const lookForEnd = (): typeof STOP | undefined => {
    if (interruption.cause || ended(held)) return STOP
    if (held.length === 0) return undefined
    // All was said; what may still come is the usage, and the end.
    const { finished, choicesStopped } = reply.meter
    if (finished && choicesStopped >= choices) {
      const waitMs = held.some(outlet.isLast) ? drainMs : SILENT_MS
      drainBy ??= setTimeout(() => interruption.endAttempt(), waitMs).unref()
    }
    return undefined
  }
  try {
    if ((await take(reply.head)) !== STOP) await reply.rest.flow(take)
  } catch {
    // Whoever threw: nobody reads on. Whether anything is missing, what was said before tells.
    reply.rest.close()
  } finally {
    clearTimeout(drainBy)
    ping.stop()
  }
  if (error) {
    reply.rest.close()
    return { end: 'upstream-broke', error, held: [] }
  }
  if (interruption.isDisconnected && !interruption.cause) {
    const isRead = ended(held) || (await readOn(reply, { interruption, hold, choices, drainMs }))
    if (ended(held)) void drain(reply.rest, interruption)
    interruption.close()
    return { end: 'client-gone', isRead, held: [] }
  }
  interruption.close()
  if (interruption.cause) return { end: interruption.isDisconnected ? 'client-gone' : interruption.cause, held: [] }
  // Read to its end, or the connection could not serve another request.
  if (ended(held)) void drain(reply.rest, interruption)
  // A body that ends without its marker is whole only when the model said why it stopped, in every choice.
  return reply.meter.finished || ended(held) ? { end: 'complete', held } : { end: 'upstream-broke', held: [] }
}

/**
 * Reads a stream for which nobody waits any more, so that it is charged by its usage. Returns whether the upstream has said all
 * within the time, the bytes and the hold; else the exchange is ended.
 */
async function readOn(
  { rest, meter }: StreamReply,
  {
    interruption,
    hold,
    choices,
    drainMs,
  }: { interruption: Interruption; hold: HoldExtender | undefined; choices: number; drainMs: number },
): Promise<boolean> {
  let bytes = 0
  let drainBy: NodeJS.Timeout | undefined
  const isFinished = () => meter.finished && meter.choicesStopped >= choices
  try {
    for (;;) {
      // All was said; what may still come is the usage, and the end.
      if (isFinished()) drainBy ??= setTimeout(() => interruption.endAttempt(), drainMs).unref()
      const pieces = await rest.next()
      if (!pieces) return meter.finished
      if (pieces.some(isBroken)) break
      for (const { event, steps } of pieces) {
        meter.read(steps)
        bytes += event?.bytes.length ?? 0
      }
      if (ended(pieces)) return true
      if (bytes > READ_ON_BYTES_MAX || hold?.isCovered() === false) break
    }
  } catch {
    // It broke, took too long, or did not end after all was said.
    return !interruption.cause && isFinished()
  } finally {
    clearTimeout(drainBy)
    rest.close()
  }
  return false
}

const isSaying = ({ isPlain, steps }: Piece): boolean => isPlain === true || saysSomething(steps)

/** Where the end begins; -1 = not among these. An end after which more is said is none, unless it is the format's own. */
function lastOf(pieces: readonly Piece[], isLast: (piece: Piece) => boolean): number {
  const first = pieces.findIndex((piece) => !piece.isPlain && isLast(piece))
  if (first < 0) return first
  const said = pieces.findLastIndex(isSaying)
  return pieces.findIndex((piece, at) => at >= first && (at >= said || ended([piece])) && isLast(piece))
}

const isBroken = ({ isPlain, steps }: Piece): boolean => !isPlain && errorIn(steps) !== undefined

function ended(pieces: readonly Piece[]): boolean {
  return pieces.some(({ steps }) => steps.some(isEnd))
}

const isEnd = ({ kind }: ReplyEvent): boolean => kind === 'end'
/** A plain loop: it runs for each chunk of each stream. */
function hasStop({ steps }: Piece): boolean {
  for (const { kind } of steps) if (kind === 'stop') return true
  return false
}

/** An upstream that does not come to its end is hung up on. */
async function drain(rest: StreamReply['rest'], interruption: Interruption): Promise<void> {
  const timer = setTimeout(() => interruption.endAttempt(), DRAIN_MS).unref()
  try {
    while (await rest.next());
  } catch {
    // What comes after the end concerns nobody.
  } finally {
    clearTimeout(timer)
  }
}

function keepAlive(
  response: ServerResponse,
  { ping, pingMs }: { ping: string; pingMs: number },
): { refresh(): void; stop(): void } {
  const timer = setTimeout(() => {
    // Somebody who does not read needs no sign of life.
    if (!response.writableNeedDrain && !response.destroyed) response.write(ping)
    timer.refresh()
  }, pingMs).unref()
  return { refresh: () => void timer.refresh(), stop: () => clearTimeout(timer) }
}

/**
 * Writes; the promise is there when the client is slower than the upstream, and resolves when it has caught up. A client that
 * takes nothing at all is gone.
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

/** What is written closer together may be read together. */
const APART_MS = 50

/** Ends a response with these texts, so far apart that a client reads each by itself. */
export async function endApart(response: ServerResponse, [first, ...others]: readonly string[]): Promise<void> {
  response.write(first ?? '')
  for (const text of others) {
    await sleep(APART_MS)
    response.write(text)
  }
  response.end()
}
