import { EventEmitter } from 'node:events'
import { GatewayError } from '../../../core/errors.ts'
import type { Stoppable } from '../delivery/grace.ts'
import type { Interruption } from '../delivery/interruption.ts'

/**
 * Aborts a submission at shutdown. A client's disconnect does not abort it, because the upstream continues the task.
 */
export type SubmissionCut = Pick<Interruption, 'signal' | 'cause'>

/** The running submissions. At shutdown, the gateway waits for them, so that accepted tasks are charged. */
export interface RunningSubmissions extends Stoppable {
  /** Runs a submission. Throws STOPPING if the gateway is stopping. */
  run<T>(work: (cut: SubmissionCut) => Promise<T>): Promise<T>
}

export function createRunningSubmissions(): RunningSubmissions {
  const running = new Map<SubmissionCut, Promise<unknown>>()
  let stopping = false
  return {
    async run(work) {
      if (stopping) throw new GatewayError('STOPPING')
      const signal = new EventEmitter().setMaxListeners(0)
      const cut: SubmissionCut = { signal, cause: undefined }
      const done = work(cut)
      running.set(cut, done)
      try {
        return await done
      } finally {
        running.delete(cut)
      }
    },
    running: () => running.values(),
    cut() {
      stopping = true
      for (const cut of running.keys()) {
        cut.cause = 'stopping'
        cut.signal.emit('abort')
      }
    },
  }
}
