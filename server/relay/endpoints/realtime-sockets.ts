import type { WebSocket } from 'ws'
import type { JsonLimits } from '../../bodies/json-scan.ts'
import { normalizeFrame } from '../admission/normalize-body.ts'
import type { End } from '../charging/charge.ts'
import type { RelayError } from '../dialects/dialect.ts'
import type { Json } from '../json.ts'
import { modelsOf, parseEvent, realtimeErrorEvent, toClientEvent, withModel } from './realtime-events.ts'
import type { RealtimeMeter } from './realtime-meter.ts'

/** Maximum number of bytes that wait for a slow receiver. If there are more, the source is paused. */
const WAITING_BYTES_MAX = 1024 * 1024
const HEARTBEAT_MS = 30_000
/** Maximum time to wait for the usage of a canceled response. */
const DRAIN_MS = 2000
/** Time that a peer has to reply to a close frame. */
const CLOSE_MS = 2000

/** Close codes: https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
export const CLOSE = { normal: 1000, away: 1001, notUnderstood: 1007, refused: 1008, broken: 1011 } as const
/** Close codes with which a session counts as complete. 1005 means that the peer sent no code. */
const COMPLETE_CODES = new Set<number>([CLOSE.normal, CLOSE.away, 1005])
/** Close codes with which an upstream rejects a frame: invalid text, policy violation, frame too large. */
const REJECTED_FRAME_CODES = new Set([1007, 1008, 1009])
const NO_CLOSE_FRAME = 1006

/** How a session ended, for the log and the client. */
export interface SessionEnding {
  readonly end: End
  readonly code: number
  readonly error?: Omit<RelayError, 'status' | 'requestId'>
  /** Whether the upstream closed the session because of a frame from the client. */
  readonly refusedFrame?: boolean
}

const NOT_UNDERSTOOD: SessionEnding = {
  end: 'complete',
  code: CLOSE.notUnderstood,
  error: {
    type: 'invalid_request_error',
    code: 'invalid_json',
    param: null,
    message: 'A frame is no JSON object, has too many parts, or is nested too deep',
  },
}

/** The two sockets of a session, which end together. */
export interface SessionSockets {
  readonly ended: Promise<SessionEnding>
  /** Ends the session. Only the first call has an effect. */
  end(ending: SessionEnding): void
  /** Cancels a running response, waits for its usage, at most `DRAIN_MS`, and closes the upstream's socket. */
  drain(): Promise<void>
}

/**
 * Forwards frames in both directions until one side ends. Changes a frame only to normalize it, to replace the model's
 * name, or to clean error texts. A session keeps its first model, on which its price depends.
 */
export function forwardFrames(
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
    /** The client's and the upstream's name of the session's model. */
    models: { requested: string; upstream: string }
    /** Masks secrets in an upstream's text. */
    clean(text: string): string
    /** Returns the error if a client's event must be rejected. The session continues after a rejection. */
    refuse(event: Json): RelayError | undefined
    /** Initial settings. They are sent to the upstream as if they were the client's first event. */
    initial?: Json | undefined
    /** Limits of a client's frame, checked before the frame is parsed. */
    limits?: JsonLimits | undefined
    /** Time without a frame after which the session ends. */
    idleMs: number
    /** Called after each frame. */
    onProgress(): void
    /** Called with an unexpected error, which ends the session. */
    onDefect(error: unknown): void
  },
): SessionSockets {
  const { client, upstream } = sockets
  let end: (ending: SessionEnding) => void = () => undefined
  const ended = new Promise<SessionEnding>((resolve) => {
    end = resolve
  })

  /** Returns the frame to forward to the upstream, or undefined if it was rejected. */
  function checkClientFrame(frame: Buffer, event: Json): Buffer | string | undefined {
    const error = refuse(event)
    if (error) {
      client.send(realtimeErrorEvent(error, event.event_id))
      return undefined
    }
    const requestedModels = modelsOf(event)
    const foreignModel = requestedModels.find(({ model }) => model !== models.requested && model !== models.upstream)
    if (!foreignModel)
      return requestedModels.every(({ model }) => model === models.upstream)
        ? normalizeFrame(frame, event)
        : withModel(event, models.upstream)
    const { param } = foreignModel
    const refusal = { type: 'invalid_request_error', code: 'model_cannot_change', param }
    const message = `This session is for the model ${models.requested}: leave ${param} out, or open another session`
    client.send(realtimeErrorEvent({ ...refusal, message }, event.event_id))
    return undefined
  }

  const idleTimer = setTimeout(() => end(expiredEnding(idleMs)), idleMs).unref()
  void ended.then(() => clearTimeout(idleTimer))
  // An exception in a listener would end the process instead of the session.
  const listen = (socket: WebSocket, handleFrame: (frame: Buffer) => void) => {
    socket.on('message', (data) => {
      idleTimer.refresh()
      try {
        handleFrame(data as Buffer)
      } catch (error) {
        onDefect(error)
        end(brokenEnding('The session cannot continue'))
      }
    })
  }
  const handleClientEvent = (frame: Buffer, event: Json) => {
    const acceptedFrame = checkClientFrame(frame, event)
    if (acceptedFrame === undefined) return
    meter.client(event)
    forwardFrame(client, upstream, acceptedFrame)
  }
  if (initial && Object.keys(initial).length > 0) {
    const event = { type: 'session.update', session: initial }
    handleClientEvent(Buffer.from(JSON.stringify(event)), event)
  }
  listen(client, (frame) => {
    const event = parseEvent(frame, limits)
    if (!event) return end(NOT_UNDERSTOOD)
    handleClientEvent(frame, event)
    onProgress()
  })
  listen(upstream, (frame) => {
    const event = parseEvent(frame)
    if (!event) return end(brokenEnding('The upstream sent a frame that is not a JSON object'))
    meter.server(event)
    const clientEvent = toClientEvent(event, { models, clean })
    forwardFrame(upstream, client, clientEvent === event ? frame : JSON.stringify(clientEvent))
    onProgress()
  })
  const onClientClose = (code: number) => {
    end({ end: COMPLETE_CODES.has(code) ? 'complete' : 'client-gone', code: CLOSE.normal })
  }
  client.on('close', onClientClose)
  // The client may have disconnected before the upstream was connected.
  if (client.readyState === client.CLOSED) onClientClose(NO_CLOSE_FRAME)
  upstream.on('close', (code) => {
    if (COMPLETE_CODES.has(code)) return end({ end: 'complete', code: CLOSE.normal })
    end({ ...brokenEnding('The upstream broke off the session'), refusedFrame: REJECTED_FRAME_CODES.has(code) })
  })
  // Errors are ignored, because a `close` event with the code follows each error.
  for (const socket of [client, upstream]) socket.on('error', () => {})
  const stopHeartbeat = heartbeat([client, upstream])
  void ended.then(stopHeartbeat)

  return {
    ended,
    end,
    async drain() {
      upstream.resume()
      if (meter.isResponding && upstream.readyState === upstream.OPEN) {
        upstream.send(JSON.stringify({ type: 'response.cancel' }))
        await waitForUsage(upstream, meter)
      }
      close(upstream, CLOSE.normal)
    },
  }
}

/** Returns the ending of a session without a frame for `idleMs`, with OpenAI's error code. */
function expiredEnding(idleMs: number): SessionEnding {
  const message = `The session ended after ${idleMs / 1000} seconds without an event`
  return {
    end: 'complete',
    code: CLOSE.normal,
    error: { type: 'invalid_request_error', code: 'session_expired', param: null, message },
  }
}

/** Sends the error event, if any, and closes a socket. Terminates it if its peer does not reply within CLOSE_MS. */
export function close(socket: WebSocket, code: number, error?: SessionEnding['error']): void {
  if (socket.readyState === socket.CLOSED) return
  socket.resume()
  if (error && socket.readyState === socket.OPEN) socket.send(realtimeErrorEvent(error))
  socket.close(code)
  const terminateTimer = setTimeout(() => socket.terminate(), CLOSE_MS).unref()
  socket.once('close', () => clearTimeout(terminateTimer))
}

function brokenEnding(message: string): SessionEnding {
  const error = { type: 'upstream_error', code: 'upstream_broke', param: null, message }
  return { end: 'upstream-broke', code: CLOSE.broken, error }
}

/** Forwards a frame as text. Pauses the source `from` while the reader `to` is slow. */
function forwardFrame(from: WebSocket, to: WebSocket, frame: Buffer | string): void {
  if (to.readyState !== to.OPEN) return
  to.send(frame, { binary: false }, () => {
    if (from.isPaused && to.bufferedAmount <= WAITING_BYTES_MAX) from.resume()
  })
  if (to.bufferedAmount > WAITING_BYTES_MAX) from.pause()
}

/** Pings sockets, and terminates a socket whose peer does not reply. Returns a function that stops the pings. */
function heartbeat(sockets: readonly WebSocket[]): () => void {
  const alive = new Set<WebSocket>(sockets)
  for (const socket of sockets) for (const sign of ['pong', 'message']) socket.on(sign, () => alive.add(socket))
  const timer = setInterval(() => {
    for (const socket of sockets) {
      // Do not end a paused socket, because it cannot read pongs.
      if (!alive.delete(socket) && !socket.isPaused) socket.terminate()
      else if (socket.readyState === socket.OPEN) socket.ping()
    }
  }, HEARTBEAT_MS)
  return () => clearInterval(timer)
}

function waitForUsage(upstream: WebSocket, meter: RealtimeMeter): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, DRAIN_MS)
    upstream.on('message', () => !meter.isResponding && done())
    upstream.on('close', done)
  })
}
