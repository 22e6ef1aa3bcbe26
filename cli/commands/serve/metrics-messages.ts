import type { Family } from '../../../server/metrics/family.ts'

/** Metrics messages between workers and supervisor. A reply has the `id` of its request. */
export type MetricsMessage =
  | { readonly metrics: 'read'; readonly id: number }
  | { readonly metrics: 'families'; readonly id: number; readonly families: Family[] }
  | { readonly metrics: 'gather'; readonly id: number }
  | { readonly metrics: 'gathered'; readonly id: number; readonly all: Family[][] }

/** Whether a message between these processes is about metrics. */
export function isMetricsMessage(message: unknown): message is MetricsMessage {
  return typeof message === 'object' && message !== null && 'metrics' in message
}
