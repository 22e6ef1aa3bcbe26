import type { Family } from './family.ts'

/** Reads the metric families of this process. */
export type ReadFamilies = () => Promise<Family[]>

/** Combines the metrics of a gateway's processes. */
export interface MetricsExchange {
  /** Adds this process. Call it once, before the process serves requests. */
  join(read: ReadFamilies): JoinedExchange
}

export interface JoinedExchange {
  /** Returns the families of all processes. Rejects if another process cannot be reached. */
  gather(): Promise<Family[][]>
  /** Passes this process's counts to the others. */
  leave(): Promise<void>
}

/** The exchange of a gateway with one process. */
export const ALONE: MetricsExchange = {
  join: (read) => ({
    gather: async () => [await read()],
    leave: async () => {},
  }),
}
