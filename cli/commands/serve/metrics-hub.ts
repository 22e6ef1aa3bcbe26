import { merge } from '../../../server/metrics/exposition.ts'
import type { MetricFamily } from '../../../server/metrics/family.ts'
import { isMetricsMessage, type MetricsMessage } from './metrics-messages.ts'

/** Maximum time to wait for a worker's metrics. After this time, the hub uses the worker's previous metrics. */
const READ_MS = 1500

/** The part of a worker that the hub uses. */
export interface HubWorker {
  isConnected(): boolean
  send(message: MetricsMessage, done: (error: Error | null) => void): unknown
}

/**
 * Collects the metrics of all workers in the supervisor when one worker is scraped. Keeps the counters of ended
 * workers, so that no counter of the gateway decreases.
 */
interface MetricsHub<Worker extends HubWorker> {
  started(worker: Worker): void
  heard(worker: Worker, message: unknown): void
  gone(worker: Worker): void
}

export function createMetricsHub<Worker extends HubWorker>({ readMs = READ_MS } = {}): MetricsHub<Worker> {
  const last = new Map<Worker, MetricFamily[]>()
  let endedWorkers: MetricFamily[][] = []
  let reading: Promise<MetricFamily[][]> | undefined
  const pending = new Map<number, () => void>()
  let number = 0

  function read(worker: Worker): Promise<void> {
    if (!worker.isConnected()) return Promise.resolve()
    number += 1
    const id = number
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
    await Promise.all([...last.keys()].map(read))
    if (endedWorkers.length > 1) {
      const parts = endedWorkers
      endedWorkers = []
      endedWorkers.push(await merge(parts))
    }
    return [...last.values(), ...endedWorkers]
  }

  return {
    started: (worker) => void last.set(worker, []),
    heard(worker, message) {
      if (!isMetricsMessage(message)) return
      if (message.metrics === 'families') {
        if (last.has(worker)) last.set(worker, message.families)
        pending.get(message.id)?.()
      } else if (message.metrics === 'gather') {
        reading ??= readAll().finally(() => {
          reading = undefined
        })
        const { id } = message
        void reading.then((all) => worker.send({ metrics: 'gathered', id, all }, () => {}))
      }
    },
    gone(worker) {
      const families = last.get(worker)
      last.delete(worker)
      const counters = families?.filter(({ type }) => type !== 'gauge')
      if (counters?.length) endedWorkers.push(counters)
    },
  }
}
