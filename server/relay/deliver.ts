import type { ServerResponse } from 'node:http'
import { errorIn, type Piece, type StreamReply } from './attempt.ts'
import type { End } from './charge.ts'
import type { ReplyEvent } from './conversation/conversation.ts'
import type { Interruption } from './interruption.ts'
import { saysSomething } from './meter.ts'

/** Proxies are told not to buffer. */
export const STREAM_HEADERS = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' }

/** How long an upstream that has said all may take to end its body. */
const DRAIN_MS = 1000
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

/** How a stream ended, and what was held back until its charge is committed. */
export interface Delivered {
  end: End
  message?: string
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
    onProgress,
    choices = 1,
    pingMs = PING_MS,
    drainMs = DRAIN_MS,
  }: {
    outlet: Outlet
    interruption: Interruption
    stallTimeoutMs: number
    /** Called after each batch with what was produced so far; may cut the relay. */
    onProgress: () => Promise<void> | undefined
    /** How many replies were asked for: one may end long before another begins. */
    choices?: number
    pingMs?: number
    drainMs?: number
  },
): Promise<Delivered> {
  let held: readonly Piece[] = []
  let drainBy: NodeJS.Timeout | undefined
  const ping = keepAlive(response, { ping: outlet.ping, pingMs })
  const send = async (pieces: readonly Piece[]) => {
    const waiting = [...held, ...pieces]
    // What seemed to be the end was none when more is said after it.
    const said = waiting.findLastIndex(({ steps }) => saysSomething(steps))
    const last = waiting.findIndex((piece, index) => (index >= said || ended([piece])) && outlet.isLast(piece))
    held = last < 0 ? [] : waiting.slice(last)
    if (said >= waiting.length - pieces.length) {
      clearTimeout(drainBy)
      drainBy = undefined
    }
    await write(response, outlet.write(last < 0 ? waiting : waiting.slice(0, last)), { interruption, stallTimeoutMs })
    ping.refresh()
  }
  try {
    await send(reply.head)
    await onProgress()
    while (!interruption.cause) {
      // All was said; what may still come is the usage, and the end.
      const { finished, choicesStopped } = reply.meter
      if (held.length && finished && choicesStopped >= choices) {
        drainBy ??= setTimeout(() => interruption.endAttempt(), drainMs).unref()
      }
      if (ended(held)) break
      const { value: pieces, done } = await reply.rest.next()
      if (done) break
      const brokenAt = pieces.findIndex(({ steps }) => errorIn(steps))
      // What it said before it broke counts, though both came in one packet.
      const sound = brokenAt < 0 ? pieces : pieces.slice(0, brokenAt)
      for (const { steps } of sound) reply.meter.read(steps)
      await send(sound)
      const error = errorIn(pieces[brokenAt]?.steps ?? [])
      if (error) {
        await reply.rest.return(undefined)
        return { end: 'upstream-broke', message: error.message, held: [] }
      }
      await onProgress()
    }
  } catch {
    // Whoever threw: nobody reads on.
    await reply.rest.return(undefined).catch(() => undefined)
    if (!interruption.cause && held.length === 0) return { end: 'upstream-broke', held: [] }
  } finally {
    clearTimeout(drainBy)
    ping.stop()
  }
  if (interruption.cause) return { end: interruption.cause, held: [] }
  // Read to its end, or the connection could not serve another request.
  if (ended(held)) void drain(reply.rest, interruption)
  // A body that ends without its marker is whole only when the model said why it stopped, in every choice.
  return reply.meter.finished || ended(held) ? { end: 'complete', held } : { end: 'upstream-broke', held: [] }
}

function ended(pieces: readonly Piece[]): boolean {
  return pieces.some(({ steps }) => steps.some(isEnd))
}

const isEnd = ({ kind }: ReplyEvent): boolean => kind === 'end'

/** An upstream that does not come to its end is hung up on. */
async function drain(rest: StreamReply['rest'], interruption: Interruption): Promise<void> {
  const timer = setTimeout(() => interruption.endAttempt(), DRAIN_MS).unref()
  try {
    while (!(await rest.next()).done);
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

/** Writes, and waits while the client is slower than the upstream. A client that takes nothing at all is gone. */
export async function write(
  response: ServerResponse,
  data: Buffer | string,
  { interruption, stallTimeoutMs }: { interruption: Interruption; stallTimeoutMs: number },
): Promise<void> {
  if (data.length === 0 || interruption.cause === 'client-gone') return
  if (response.write(data) || interruption.cause) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      response.off('drain', end)
      response.off('close', end)
      interruption.signal.off('abort', end)
      resolve()
    }
    const timer = setTimeout(() => {
      interruption.cut('client-gone')
      response.destroy()
      end()
    }, stallTimeoutMs)
    response.once('drain', end)
    response.once('close', end)
    interruption.signal.once('abort', end)
  })
}
