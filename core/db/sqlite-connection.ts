import type { Database as SqliteConnection } from 'sqlite3'

export type { SqliteConnection }

/** Runs statements on a connection of the driver. */
export const execute = (connection: SqliteConnection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => connection.exec(sql, (error) => (error ? reject(error) : resolve())))
