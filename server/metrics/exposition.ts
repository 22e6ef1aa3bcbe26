import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricFamily } from './family.ts'

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export async function merge(processes: readonly MetricFamily[][]): Promise<MetricFamily[]> {
  // The method returns the structure that `aggregate` accepts.
  return (await aggregated(processes).getMetricsAsJSON()) as unknown as MetricFamily[]
}

export function expose(processes: readonly MetricFamily[][]): Promise<string> {
  return aggregated(processes).metrics()
}

function aggregated(processes: readonly MetricFamily[][]): Registry {
  return AggregatorRegistry.aggregate([...processes])
}
