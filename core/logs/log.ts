export type { Log } from './schema.ts'
/** Kinds of log rows, as the documented API and later versions of its servers number them. */
export const LOG_TYPE = { topUp: 1, consumption: 2, admin: 3, system: 4, error: 5 } as const
