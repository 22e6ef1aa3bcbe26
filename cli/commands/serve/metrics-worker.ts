import type { JoinedExchange, MetricsExchange, ReadFamilies } from '../../../server/metrics/exchange.ts'
import type { MetricFamily } from '../../../server/metrics/family.ts'
import { isMetricsMessage, type MetricsMessage } from './metrics-messages.ts'

/** Maximum time to wait for the supervisor. The supervisor itself waits up to 1.5 seconds for the slowest worker. */
const GATHER_MS = 4000

/** Exchanges metrics with the supervisor: sends the metrics of this worker, and gets the metrics of all workers. */
export const workerExchange: MetricsExchange = { join }

function join(read: ReadFamilies): JoinedExchange {
  const pending = new Map<number, (all: MetricFamily[][]) => void>()
  let lastId = 0
  const send = (message: MetricsMessage): Promise<void> =>
    new Promise((resolve) => {
      if (!process.connected || !process.send) resolve()
      else process.send(message, undefined, undefined, () => resolve())
    })
  const onMessage = (message: unknown) => {
    if (!isMetricsMessage(message)) return
    if (message.metrics === 'read') {
      const { id } = message
      void read().then((families) => send({ metrics: 'families', id, families }))
    } else if (message.metrics === 'gathered') pending.get(message.id)?.(message.all)
  }
  process.on('message', onMessage)
  return {
    gather() {
      lastId += 1
      const id = lastId
      return new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          pending.delete(id)
        }
        const timer = setTimeout(() => {
          end()
          // The counters of this worker alone are lower than those of all workers, which looks like a restart.
          reject(new Error('the supervisor did not answer'))
        }, GATHER_MS)
        pending.set(id, (all) => {
          end()
          resolve(all)
        })
        void send({ metrics: 'gather', id })
      })
    },
    async leave() {
      await send({ metrics: 'families', id: 0, families: await read() })
      process.off('message', onMessage)
    },
  }
}
