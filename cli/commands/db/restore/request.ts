import type { Config } from '../../../../core/config.ts'

/** A backup to restore. `file` and `keyFile` are absolute paths. */
export interface RestoreRequest {
  config: Config
  /** Path of the backup as the user gave it, for messages. */
  name: string
  file: string
  keyFile: string | undefined
  /** Asks the user whether to replace the database. Throws if the user declines. */
  confirm(database: string): Promise<void>
}

export interface Restored {
  database: string
  /** Folder or schema with the previous database; undefined if none existed. */
  previous: string | undefined
  /** Migrations that the next start applies. */
  pending: string[]
}

/** Formats a UTC time as a part of a name, such as 20261125-101500. */
export function timeName(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
}
