export type { Log } from './schema.ts'
/** Types of log rows, with the numbers of the documented API. */
export const LOG_TYPE = { topUp: 1, consumption: 2, admin: 3, system: 4, error: 5 } as const
