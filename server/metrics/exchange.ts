import type { MetricFamily } from './family.ts'

export type ReadFamilies = () => Promise<MetricFamily[]>

/** Combines the metrics of a gateway's processes. */
export interface MetricsExchange {
  /** Adds this process. Call it once, before the process serves requests. */
  join(read: ReadFamilies): JoinedExchange
}

export interface JoinedExchange {
  /** Returns the metric families of all processes. Rejects if another process cannot be reached. */
  gather(): Promise<MetricFamily[][]>
  /** Passes this process's counts to the other processes. */
  leave(): Promise<void>
}

/** The exchange for a gateway with a single process. */
export const ALONE: MetricsExchange = {
  join: (read) => ({
    gather: async () => [await read()],
    leave: async () => {},
  }),
}
