export type { Log } from './schema.ts'
/** Kinds of log rows, as the documented API numbers them. */
export const LOG_TYPE = { topUp: 1, consumption: 2, admin: 3, system: 4 } as const
