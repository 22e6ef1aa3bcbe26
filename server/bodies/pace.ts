import type { Socket } from 'node:net'
import { GatewayError } from '../../core/errors.ts'
import { Roster, type Rostered } from '../../core/roster.ts'

/** A body may take as long as it needs, if it arrives at this rate or faster after the first seconds. */
const BYTES_PER_SECOND_MIN = 1024
const GRACE_MS = 20_000
const LOOK_EVERY_MS = 2_000

interface Arriving extends Rostered {
  readonly socket: Pick<Socket, 'bytesRead'>
  readonly bytesBefore: number
  /** Milliseconds of the monotonic clock from which the rate counts. */
  readonly since: number
  readonly abort: (reason: GatewayError) => void
}

type WatchPace = (socket: Arriving['socket'], abort: Arriving['abort']) => () => void

/**
 * Watches the rate at which a body arrives on its connection, as sent: compressed. Calls `abort` with BODY_TOO_SLOW if it is
 * below the minimum. Returns a function that ends the watch.
 */
export const watchPace = openPaceWatch()

/** A watch of its own, with one timer that looks at all its bodies, so that a request starts none. */
export function openPaceWatch(): WatchPace {
  const arriving = new Roster<Arriving>()
  let timer: NodeJS.Timeout | undefined

  const look = () => {
    const now = performance.now()
    // A copy, since those that are aborted leave it.
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
