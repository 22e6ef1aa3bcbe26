import { AggregatorRegistry, type Registry } from 'prom-client'
import type { MetricFamily } from './family.ts'

/** Content type of the Prometheus text format. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Combines the families of several processes. */
export async function merge(processes: readonly MetricFamily[][]): Promise<MetricFamily[]> {
  // The method returns the structure that `aggregate` accepts.
  return (await aggregated(processes).getMetricsAsJSON()) as unknown as MetricFamily[]
}

/** Formats the combined families of several processes as Prometheus text. */
export function expose(processes: readonly MetricFamily[][]): Promise<string> {
  return aggregated(processes).metrics()
}

function aggregated(processes: readonly MetricFamily[][]): Registry {
  return AggregatorRegistry.aggregate([...processes])
}
