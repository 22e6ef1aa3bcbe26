import { describe, expect, test } from 'vitest'
import { createMetricsHub, type HubWorker } from '../../../cli/commands/serve/metrics-hub.ts'
import type { MetricsMessage } from '../../../cli/commands/serve/metrics-messages.ts'
import { expose } from '../../../server/metrics/exposition.ts'
import { counter, gauge, type MetricFamily } from '../../../server/metrics/family.ts'
import { parseExposition, sumOf } from '../../support/exposition.ts'

const familiesOf = (count: number): MetricFamily[] => [
  counter('requests_total', 'requests', [{ value: count, labels: {} }]),
  gauge('running', 'running', [{ value: 1, labels: {} }]),
]

/** Workers that answer with what they have counted, over a hub of their own. */
function workersOf() {
  const hub = createMetricsHub<FakeWorker>({ readMs: 20 })
  class FakeWorker implements HubWorker {
    count = 0
    hangs = false
    gathered: MetricFamily[][] | undefined
    constructor() {
      hub.onStart(this)
    }
    isConnected = () => true
    send(message: MetricsMessage): void {
      if (message.metrics === 'gathered') this.gathered = message.all
      else if (message.metrics === 'read' && !this.hangs) {
        const { id } = message
        queueMicrotask(() => hub.onMessage(this, { metrics: 'families', id, families: familiesOf(this.count) }))
      }
    }
    async scrape() {
      this.gathered = undefined
      hub.onMessage(this, { metrics: 'gather', id: 1 })
      await expect.poll(() => this.gathered).toBeDefined()
      const families = parseExposition(await expose(this.gathered ?? []))
      return { requests: sumOf(families, 'requests_total'), running: sumOf(families, 'running') }
    }
  }
  return { hub, start: () => new FakeWorker() }
}

describe('the metrics of workers', () => {
  test('are one set, whichever worker answers the scrape', async () => {
    const { start } = workersOf()
    const [one, two] = [start(), start()]
    one.count = 3
    two.count = 4
    expect(await one.scrape()).toEqual({ requests: 7, running: 2 })
    expect(await two.scrape()).toEqual({ requests: 7, running: 2 })
  })

  test('never fall when a worker dies or is replaced', async () => {
    const { hub, start } = workersOf()
    const survivor = start()
    survivor.count = 1
    for (let life = 0; life < 3; life++) {
      const worker = start()
      worker.count = 10
      expect((await survivor.scrape()).requests).toBe(1 + 10 * (life + 1))
      hub.onExit(worker)
      expect(await survivor.scrape()).toEqual({ requests: 1 + 10 * (life + 1), running: 1 })
    }
  })

  test('keep the last values of a hanging worker', async () => {
    const { start } = workersOf()
    const [one, two] = [start(), start()]
    two.count = 5
    await one.scrape()
    two.hangs = true
    two.count = 6
    expect(await one.scrape()).toEqual({ requests: 5, running: 2 })
  })

  test('include the last counts of a worker that exited', async () => {
    const { hub, start } = workersOf()
    const [one, two] = [start(), start()]
    hub.onMessage(two, { metrics: 'families', id: 0, families: familiesOf(8) })
    hub.onExit(two)
    expect(await one.scrape()).toEqual({ requests: 8, running: 1 })
  })
})
