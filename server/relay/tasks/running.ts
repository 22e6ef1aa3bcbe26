import { EventEmitter } from 'node:events'
import { GatewayError } from '../../../core/errors.ts'
import type { Stoppable } from '../delivery/grace.ts'
import type { Interruption } from '../delivery/interruption.ts'

/** Aborts a submission at shutdown, but not after a client's disconnect, because the upstream continues the task. */
export type SubmissionAbort = Pick<Interruption, 'signal' | 'cause'>

/** The running submissions. At shutdown, the gateway waits until all have ended, so that accepted tasks are charged. */
export interface RunningSubmissions extends Stoppable {
  /** Runs a submission. Throws STOPPING if the gateway is stopping. */
  run<T>(work: (cut: SubmissionAbort) => Promise<T>): Promise<T>
}

export function createRunningSubmissions(): RunningSubmissions {
  const running = new Map<SubmissionAbort, Promise<unknown>>()
  let stopping = false
  return {
    async run(work) {
      if (stopping) throw new GatewayError('STOPPING')
      const signal = new EventEmitter().setMaxListeners(0)
      const cut: SubmissionAbort = { signal, cause: undefined }
      const result = work(cut)
      running.set(cut, result)
      try {
        return await result
      } finally {
        running.delete(cut)
      }
    },
    running: () => running.values(),
    stop() {
      stopping = true
      for (const cut of running.keys()) {
        cut.cause = 'stopping'
        cut.signal.emit('abort')
      }
    },
  }
}
