import type { JoinedExchange, MetricsExchange, ReadFamilies } from '../../../server/metrics/exchange.ts'
import type { MetricFamily } from '../../../server/metrics/family.ts'
import { isMetricsMessage, type MetricsMessage } from './metrics-messages.ts'

/** Maximum time to wait for the supervisor, which itself waits up to 1.5 seconds for the slowest worker. */
const GATHER_MS = 4000

/** Requests the metrics of all workers from the supervisor, and sends the metrics of this worker to the supervisor. */
export const workerExchange: MetricsExchange = { join }

function join(read: ReadFamilies): JoinedExchange {
  const pending = new Map<number, (all: MetricFamily[][]) => void>()
  let number = 0
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
      number += 1
      const id = number
      return new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          pending.delete(id)
        }
        const timer = setTimeout(() => {
          end()
          // The counts of this worker alone would look like a restart of the gateway.
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
