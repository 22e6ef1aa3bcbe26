import type { Socket } from 'node:net'
import { GatewayError } from '../../core/errors.ts'
import { Roster, type Rostered } from '../../core/roster.ts'

/** Minimum rate of a body after the first seconds; its total duration is unlimited. */
const BYTES_PER_SECOND_MIN = 1024
const GRACE_MS = 20_000
const LOOK_EVERY_MS = 2_000

interface Arriving extends Rostered {
  readonly socket: Pick<Socket, 'bytesRead'>
  readonly bytesBefore: number
  /** Start of the measurement, in milliseconds of the monotonic clock. */
  readonly since: number
  readonly abort: (reason: GatewayError) => void
}

type WatchPace = (socket: Arriving['socket'], abort: Arriving['abort']) => () => void

/**
 * Monitors the rate at which a body arrives, as sent: compressed. Below the minimum it calls `abort` with BODY_TOO_SLOW. Returns a
 * function that stops the monitoring.
 */
export const watchPace = openPaceWatch()

/** Creates a separate monitor. One timer checks all its bodies, so that requests start no timers. */
export function openPaceWatch(): WatchPace {
  const arriving = new Roster<Arriving>()
  let timer: NodeJS.Timeout | undefined

  const look = () => {
    const now = performance.now()
    // A copy, since `abort` removes bodies from the roster.
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
    const one: Arriving = {
      place: -1,
      socket,
      bytesBefore: socket.bytesRead,
      since: performance.now() + GRACE_MS,
      abort,
    }
    arriving.add(one)
    timer ??= setInterval(look, LOOK_EVERY_MS).unref()
    return () => arriving.delete(one)
  }
}
