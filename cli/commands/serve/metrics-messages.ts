import { isRecord } from '../../../core/records.ts'
import type { MetricFamily } from '../../../server/metrics/family.ts'

/**
 * A message about metrics between a worker and the supervisor. A worker replies to `read` with `families`, and the
 * supervisor replies to `gather` with `gathered`. A reply has the `id` of its request.
 */
export type MetricsMessage =
  | { readonly metrics: 'read'; readonly id: number }
  | { readonly metrics: 'families'; readonly id: number; readonly families: MetricFamily[] }
  | { readonly metrics: 'gather'; readonly id: number }
  | { readonly metrics: 'gathered'; readonly id: number; readonly all: MetricFamily[][] }

/** Returns whether a message between a worker and the supervisor is about metrics. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return isRecord(message) && 'metrics' in message
}
