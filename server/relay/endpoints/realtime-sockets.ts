import type { WebSocket } from 'ws'
import type { JsonLimits } from '../../bodies/json-scan.ts'
import { normalizeFrame } from '../admission/normalize-body.ts'
import type { End } from '../charging/charge.ts'
import type { RelayError } from '../dialects/dialect.ts'
import type { Json } from '../json.ts'
import { errorEvent, eventIn, forClient, modelsOf, withModel } from './realtime-events.ts'
import type { RealtimeMeter } from './realtime-meter.ts'

/** A source is paused when more bytes than this wait for a slow reader. */
const WAITING_BYTES_MAX = 1024 * 1024
const HEARTBEAT_MS = 30_000
/** How long to wait for the usage of a cancelled response. */
const DRAIN_MS = 2000
/** How long the other side may take to close. */
const CLOSE_MS = 2000

/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
export const CLOSE = { normal: 1000, away: 1001, notUnderstood: 1007, refused: 1008, broken: 1011 } as const
/** 1005: no reason was given. */
const GOOD_ENDS = new Set<number>([CLOSE.normal, CLOSE.away, 1005])
/** The upstream rejected a frame: invalid text, a policy violation, or a frame that is too large. */
const REFUSED_FRAMES = new Set([1007, 1008, 1009])
const NO_CLOSE_FRAME = 1006

/** The end of a session, for the log and the client. */
export interface Ending {
  readonly end: End
  readonly code: number
  readonly error?: Omit<RelayError, 'status' | 'requestId'>
  /** Set if the upstream closed because of a client's frame. */
  readonly refusedFrame?: boolean
}

const NOT_UNDERSTOOD: Ending = {
  end: 'complete',
  code: CLOSE.notUnderstood,
  error: {
    type: 'invalid_request_error',
    code: 'invalid_json',
    param: null,
    message: 'A frame is no JSON object, has too many parts, or is nested too deep',
  },
}

/** Two sockets that end together. */
export interface Tied {
  readonly ended: Promise<Ending>
  /** Ends the session; only the first call counts. */
  end(ending: Ending): void
  /** Cancels a running response and waits for its usage. Then closes the upstream. */
  drain(): Promise<void>
}

/**
 * Forwards frames in both directions until one side ends, unchanged except for fields that a side may not read. Calls
 * `onProgress` after each frame. A session keeps its first model: `models.asked` is the client's name of it, `upstream` the
 * upstream's. `clean` removes secrets from an upstream's texts. `refuse` returns the error for a rejected client event; the
 * session continues. `onDefect` receives an unexpected error that ended the session.
 */
export function tie(
  sockets: { client: WebSocket; upstream: WebSocket },
  {
    meter,
    models,
    clean,
    refuse,
    initial,
    limits,
    idleMs,
    onProgress,
    onDefect,
  }: {
    meter: RealtimeMeter
    models: { asked: string; upstream: string }
    clean(text: string): string
    refuse(event: Json): RelayError | undefined
    /** Initial settings, sent as if they were the client's first event. */
    initial?: Json | undefined
    /** Of the client's frames, before they are parsed. */
    limits?: JsonLimits | undefined
    idleMs: number
    onProgress(): void
    onDefect(error: unknown): void
  },
): Tied {
  const { client, upstream } = sockets
  let end: (ending: Ending) => void = () => undefined
  const ended = new Promise<Ending>((resolve) => {
    end = resolve
  })

  /** Returns the frame to forward to the upstream; undefined if it was rejected. */
  function fromClient(frame: Buffer, event: Json): Buffer | string | undefined {
    const refused = refuse(event)
    if (refused) {
      client.send(errorEvent(refused, event.event_id))
      return undefined
    }
    const named = modelsOf(event)
    const foreign = named.find(({ model }) => model !== models.asked && model !== models.upstream)
    if (!foreign)
      return named.every(({ model }) => model === models.upstream)
        ? normalizeFrame(frame, event)
        : withModel(event, models.upstream)
    const { param } = foreign
    const refusal = { type: 'invalid_request_error', code: 'model_cannot_change', param }
    const message = `This session is for the model ${models.asked}: leave ${param} out, or open another session`
    client.send(errorEvent({ ...refusal, message }, event.event_id))
    return undefined
  }

  /** Catch exceptions: in a listener they would end the process, not only the session. */
  const idle = setTimeout(() => end(expired(idleMs)), idleMs).unref()
  void ended.then(() => clearTimeout(idle))
  const listen = (socket: WebSocket, hear: (frame: Buffer) => void) => {
    socket.on('message', (data) => {
      idle.refresh()
      try {
        hear(data as Buffer)
      } catch (error) {
        onDefect(error)
        end(broken('The session cannot continue'))
      }
    })
  }
  const hear = (frame: Buffer, event: Json) => {
    const passed = fromClient(frame, event)
    if (passed === undefined) return
    meter.client(event)
    pass(client, upstream, passed)
  }
  if (initial && Object.keys(initial).length > 0) {
    const event = { type: 'session.update', session: initial }
    hear(Buffer.from(JSON.stringify(event)), event)
  }
  listen(client, (frame) => {
    const event = eventIn(frame, limits)
    if (!event) return end(NOT_UNDERSTOOD)
    hear(frame, event)
    onProgress()
  })
  listen(upstream, (frame) => {
    const event = eventIn(frame)
    if (!event) return end(broken('The upstream sent a frame that is not a JSON object'))
    meter.server(event)
    const told = forClient(event, { models, clean })
    pass(upstream, client, told === event ? frame : JSON.stringify(told))
    onProgress()
  })
  const clientEnd = (code: number) => {
    end({ end: GOOD_ENDS.has(code) ? 'complete' : 'client-gone', code: CLOSE.normal })
  }
  client.on('close', clientEnd)
  // The client may have disconnected before the upstream was connected.
  if (client.readyState === client.CLOSED) clientEnd(NO_CLOSE_FRAME)
  upstream.on('close', (code) => {
    if (GOOD_ENDS.has(code)) return end({ end: 'complete', code: CLOSE.normal })
    end({ ...broken('The upstream broke off the session'), refusedFrame: REFUSED_FRAMES.has(code) })
  })
  // A `close` with all relevant information follows each error.
  for (const socket of [client, upstream]) socket.on('error', () => {})
  const stopHeartbeat = heartbeat([client, upstream])
  void ended.then(stopHeartbeat)

  return {
    ended,
    end,
    async drain() {
      upstream.resume()
      if (meter.responding && upstream.readyState === upstream.OPEN) {
        upstream.send(JSON.stringify({ type: 'response.cancel' }))
        await usageOf(upstream, meter)
      }
      close(upstream, CLOSE.normal)
    },
  }
}

/** Neither side has sent anything for this time. The code is OpenAI's for a session that ends by time. */
function expired(idleMs: number): Ending {
  const message = `The session ended after ${idleMs / 1000} seconds without an event`
  return {
    end: 'complete',
    code: CLOSE.normal,
    error: { type: 'invalid_request_error', code: 'session_expired', param: null, message },
  }
}

/** Closes a socket after an optional error event; terminates it if its peer does not reply. */
export function close(socket: WebSocket, code: number, error?: Ending['error']): void {
  if (socket.readyState === socket.CLOSED) return
  socket.resume()
  if (error && socket.readyState === socket.OPEN) socket.send(errorEvent(error))
  socket.close(code)
  const late = setTimeout(() => socket.terminate(), CLOSE_MS).unref()
  socket.once('close', () => clearTimeout(late))
}

function broken(message: string): Ending {
  const error = { type: 'upstream_error', code: 'upstream_broke', param: null, message }
  return { end: 'upstream-broke', code: CLOSE.broken, error }
}

/** Forwards a frame as text. Pauses a source while its reader is slow. */
function pass(from: WebSocket, to: WebSocket, frame: Buffer | string): void {
  if (to.readyState !== to.OPEN) return
  to.send(frame, { binary: false }, () => {
    if (from.isPaused && to.bufferedAmount <= WAITING_BYTES_MAX) from.resume()
  })
  if (to.bufferedAmount > WAITING_BYTES_MAX) from.pause()
}

/** Terminates sockets whose peer vanished without closing. */
function heartbeat(sockets: readonly WebSocket[]): () => void {
  const alive = new Set<WebSocket>(sockets)
  for (const socket of sockets) for (const sign of ['pong', 'message']) socket.on(sign, () => alive.add(socket))
  const timer = setInterval(() => {
    for (const socket of sockets) {
      // A paused socket reads nothing, pongs included.
      if (!alive.delete(socket) && !socket.isPaused) socket.terminate()
      else if (socket.readyState === socket.OPEN) socket.ping()
    }
  }, HEARTBEAT_MS)
  return () => clearInterval(timer)
}

function usageOf(upstream: WebSocket, meter: RealtimeMeter): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, DRAIN_MS)
    upstream.on('message', () => !meter.responding && done())
    upstream.on('close', done)
  })
}
