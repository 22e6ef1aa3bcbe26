import { merge } from '../../../server/metrics/exposition.ts'
import type { MetricFamily } from '../../../server/metrics/family.ts'
import { isMetricsMessage, type MetricsMessage } from './metrics-messages.ts'

/** Maximum time to wait for a worker's metrics. After this time, the hub uses the worker's previous metrics. */
const READ_MS = 1500

/** The members of a cluster worker that the hub uses. */
export interface HubWorker {
  isConnected(): boolean
  send(message: MetricsMessage, done: (error: Error | null) => void): unknown
}

/**
 * Collects the metrics of all workers when one worker is scraped. Runs in the supervisor. Keeps the counters of ended
 * workers, so that no counter of the gateway decreases.
 */
interface MetricsHub<Worker extends HubWorker> {
  onStart(worker: Worker): void
  onMessage(worker: Worker, message: unknown): void
  onExit(worker: Worker): void
}

export function createMetricsHub<Worker extends HubWorker>({ readMs = READ_MS } = {}): MetricsHub<Worker> {
  /** Latest metrics of each worker. */
  const latest = new Map<Worker, MetricFamily[]>()
  /** Counters of ended workers. */
  let endedWorkers: MetricFamily[][] = []
  let reading: Promise<MetricFamily[][]> | undefined
  /** Functions that end the wait for a reply, by the id of the request. */
  const pending = new Map<number, () => void>()
  let lastId = 0

  function read(worker: Worker): Promise<void> {
    if (!worker.isConnected()) return Promise.resolve()
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        pending.delete(id)
        resolve()
      }
      const timer = setTimeout(done, readMs)
      pending.set(id, done)
      worker.send({ metrics: 'read', id }, (error) => error && done())
    })
  }

  async function readAll(): Promise<MetricFamily[][]> {
    await Promise.all([...latest.keys()].map(read))
    if (endedWorkers.length > 1) {
      const parts = endedWorkers
      // A worker may end during the merge.
      endedWorkers = []
      endedWorkers.push(await merge(parts))
    }
    return [...latest.values(), ...endedWorkers]
  }

  return {
    onStart: (worker) => void latest.set(worker, []),
    onMessage(worker, message) {
      if (!isMetricsMessage(message)) return
      if (message.metrics === 'families') {
        if (latest.has(worker)) latest.set(worker, message.families)
        pending.get(message.id)?.()
      } else if (message.metrics === 'gather') {
        reading ??= readAll().finally(() => {
          reading = undefined
        })
        const { id } = message
        void reading.then((all) => worker.send({ metrics: 'gathered', id, all }, () => {}))
      }
    },
    onExit(worker) {
      const counters = latest.get(worker)?.filter(({ type }) => type !== 'gauge')
      latest.delete(worker)
      if (counters?.length) endedWorkers.push(counters)
    },
  }
}
