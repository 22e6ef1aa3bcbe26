import type { Config } from '../../../../core/config.ts'

/** A restore request; paths are absolute. */
export interface RestoreRequest {
  config: Config
  /** The backup as the caller named it, for messages. */
  name: string
  file: string
  keyFile: string | undefined
  /** Asks before the database is replaced; throws if declined. */
  confirm(database: string): Promise<void>
}

export interface Restored {
  database: string
  /** Where the previous database is kept; undefined: none existed. */
  previous: string | undefined
  /** Migrations that the next start applies. */
  pending: string[]
}

/** Time as part of a name: 20261125-101500. */
export function timeName(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
}
