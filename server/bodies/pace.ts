import type { Socket } from 'node:net'
import { GatewayError } from '../../core/errors.ts'
import { Roster, type Rostered } from '../../core/roster.ts'

/** Minimum rate of a body after `GRACE_MS`. A faster body may take any time up to the timeout of the request. */
const BYTES_PER_SECOND_MIN = 1024
const GRACE_MS = 20_000
const CHECK_EVERY_MS = 2_000

interface ArrivingBody extends Rostered {
  readonly socket: Pick<Socket, 'bytesRead'>
  /** Bytes that the socket had read before this body. */
  readonly bytesBefore: number
  /** Start of the measurement, in milliseconds of the monotonic clock. */
  readonly since: number
  readonly abort: (reason: GatewayError) => void
}

type WatchPace = (socket: ArrivingBody['socket'], abort: ArrivingBody['abort']) => () => void

/**
 * Monitors the rate at which a body arrives, in bytes on the wire. Calls `abort` with BODY_TOO_SLOW if the rate is
 * below the minimum. Returns a function that stops the monitoring.
 */
export const watchPace = openPaceWatch()

/** Creates a separate monitor. One timer checks all bodies, so that requests need no timers of their own. */
export function openPaceWatch(): WatchPace {
  const arriving = new Roster<ArrivingBody>()
  let timer: NodeJS.Timeout | undefined

  const checkRates = () => {
    const now = performance.now()
    // Iterate over a copy, because `abort` removes bodies from the roster.
    for (const { socket, bytesBefore, since, abort } of [...arriving]) {
      const seconds = (now - since) / 1000
      if (seconds > 0 && socket.bytesRead - bytesBefore < seconds * BYTES_PER_SECOND_MIN) {
        abort(new GatewayError('BODY_TOO_SLOW', { rate: BYTES_PER_SECOND_MIN }))
      }
    }
    if (arriving.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return (socket, abort) => {
    const body: ArrivingBody = {
      place: -1,
      socket,
      bytesBefore: socket.bytesRead,
      since: performance.now() + GRACE_MS,
      abort,
    }
    arriving.add(body)
    timer ??= setInterval(checkRates, CHECK_EVERY_MS).unref()
    return () => arriving.delete(body)
  }
}
