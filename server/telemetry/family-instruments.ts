import type { Meter, Observable } from '@opentelemetry/api'
import type { ReadFamilies } from '../metrics/exchange.ts'

/** Exports this process's counters and gauges under the same names as at `/metrics`. */
export async function exportFamilies(meter: Meter, read: ReadFamilies): Promise<void> {
  const instruments = new Map<string, Observable>()
  // Every family exists from the start, even without samples. Other code exports the histograms.
  for (const { name, help, type } of await read()) {
    if (type === 'counter') instruments.set(name, meter.createObservableCounter(name, { description: help }))
    else if (type === 'gauge') instruments.set(name, meter.createObservableGauge(name, { description: help }))
  }
  meter.addBatchObservableCallback(
    async (result) => {
      for (const { name, values } of await read()) {
        const instrument = instruments.get(name)
        if (instrument) for (const { value, labels } of values) result.observe(instrument, value, labels)
      }
    },
    [...instruments.values()],
  )
}
