import type { WebSocket } from 'ws'
import { soundFrame } from '../admission/sound-body.ts'
import type { End } from '../charging/charge.ts'
import type { RelayError } from '../dialects/dialect.ts'
import type { Json } from '../json.ts'
import { errorEvent, eventIn, forClient, modelsOf, withModel } from './realtime-events.ts'
import type { RealtimeMeter } from './realtime-meter.ts'

/** What may wait for a slow reader before the other side is asked to pause. */
const WAITING_BYTES_MAX = 1024 * 1024
const HEARTBEAT_MS = 30_000
/** How long the usage of a response that was broken off is waited for. */
const DRAIN_MS = 2000
/** How long the other side may take to close. */
const CLOSE_MS = 2000

/** https://www.rfc-editor.org/rfc/rfc6455#section-7.4.1 */
export const CLOSE = { normal: 1000, away: 1001, notUnderstood: 1007, refused: 1008, broken: 1011 } as const
/** 1005: no reason was given. */
const GOOD_ENDS = new Set<number>([CLOSE.normal, CLOSE.away, 1005])
/** Text that is none, a breach of policy, a frame that is too large: what the upstream says of frames that it was sent. */
const REFUSED_FRAMES = new Set([1007, 1008, 1009])
const NO_CLOSE_FRAME = 1006

/** How a session ended: what the log and the client are told. */
export interface Ending {
  readonly end: End
  readonly code: number
  readonly error?: Omit<RelayError, 'status' | 'requestId'>
  /** The upstream broke off for what the client had sent. */
  readonly refusedFrame?: boolean
}

const NOT_UNDERSTOOD: Ending = {
  end: 'complete',
  code: CLOSE.notUnderstood,
  error: {
    type: 'invalid_request_error',
    code: 'invalid_json',
    param: null,
    message: 'A frame is no JSON object, or is nested too deep',
  },
}

/** Two sockets that live and end together. */
export interface Tied {
  readonly ended: Promise<Ending>
  /** Ends the session; the first end counts. */
  end(ending: Ending): void
  /** Breaks off a response that is being made, and waits for its usage. Then closes the upstream. */
  drain(): Promise<void>
}

/**
 * Carries frames both ways until one side ends, unchanged but for what a side may not read. `onProgress` is called after
 * each. A session keeps the model that it began with: `asked` is the client's name of it, `upstream` the upstream's.
 * `clean`: an upstream's words without secrets. `refuse`: why a client's event may not go on; the session does. `onDefect` is told what ended the session though it should not have.
 */
export function tie(
  sockets: { client: WebSocket; upstream: WebSocket },
  {
    meter,
    models,
    clean,
    refuse,
    onProgress,
    onDefect,
  }: {
    meter: RealtimeMeter
    models: { asked: string; upstream: string }
    clean(text: string): string
    refuse(event: Json): RelayError | undefined
    onProgress(): void
    onDefect(error: unknown): void
  },
): Tied {
  const { client, upstream } = sockets
  let end: (ending: Ending) => void = () => undefined
  const ended = new Promise<Ending>((resolve) => {
    end = resolve
  })

  /** What goes to the upstream for a client's frame; undefined when it was refused. */
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
        ? soundFrame(frame, event)
        : withModel(event, models.upstream)
    const { param } = foreign
    const refusal = { type: 'invalid_request_error', code: 'model_cannot_change', param }
    const message = `This session is for the model ${models.asked}: leave ${param} out, or open another session`
    client.send(errorEvent({ ...refusal, message }, event.event_id))
    return undefined
  }

  /** Nobody catches what a listener throws: it would end the process, and not the session alone. */
  const listen = (socket: WebSocket, hear: (frame: Buffer) => void) => {
    socket.on('message', (data) => {
      try {
        hear(data as Buffer)
      } catch (error) {
        onDefect(error)
        end(broken('The session cannot go on'))
      }
    })
  }
  listen(client, (frame) => {
    const event = eventIn(frame)
    if (!event) return end(NOT_UNDERSTOOD)
    const passed = fromClient(frame, event)
    if (passed === undefined) return
    meter.client(event)
    pass(client, upstream, passed)
    onProgress()
  })
  listen(upstream, (frame) => {
    const event = eventIn(frame)
    if (!event) return end(broken('The upstream sent a frame that is no JSON object'))
    meter.server(event)
    const told = forClient(event, { models, clean })
    pass(upstream, client, told === event ? frame : JSON.stringify(told))
    onProgress()
  })
  const clientEnd = (code: number) => {
    end({ end: GOOD_ENDS.has(code) ? 'complete' : 'client-gone', code: CLOSE.normal })
  }
  client.on('close', clientEnd)
  // It may have left before the upstream was there.
  if (client.readyState === client.CLOSED) clientEnd(NO_CLOSE_FRAME)
  upstream.on('close', (code) => {
    if (GOOD_ENDS.has(code)) return end({ end: 'complete', code: CLOSE.normal })
    end({ ...broken('The upstream broke off the session'), refusedFrame: REFUSED_FRAMES.has(code) })
  })
  // Each is followed by a close, which says all that matters here.
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

/** Closes a socket, after an error that its peer should read; one that does not answer is cut. */
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

/** Sends on as text, whatever it came as. A source is paused while its reader is slow. */
function pass(from: WebSocket, to: WebSocket, frame: Buffer | string): void {
  if (to.readyState !== to.OPEN) return
  to.send(frame, { binary: false }, () => {
    if (from.isPaused && to.bufferedAmount <= WAITING_BYTES_MAX) from.resume()
  })
  if (to.bufferedAmount > WAITING_BYTES_MAX) from.pause()
}

/** Cuts sockets whose other end is gone without a word. */
function heartbeat(sockets: readonly WebSocket[]): () => void {
  const alive = new Set<WebSocket>(sockets)
  for (const socket of sockets) for (const sign of ['pong', 'message']) socket.on(sign, () => alive.add(socket))
  const timer = setInterval(() => {
    for (const socket of sockets) {
      // Nothing is read from a paused one, signs of life included.
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
