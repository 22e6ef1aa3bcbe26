import type { LocalToolkit } from '../../core/toolkit.ts'

/** Adds a row as a drawing relay writes one. */
export async function drawing({ db }: Pick<LocalToolkit, 'db'>, row: Record<string, unknown>): Promise<void> {
  await db.transaction((trx) => trx('midjourneys').insert(row))
}

/** Adds a row as a task relay writes one. */
export async function asyncTask({ db }: Pick<LocalToolkit, 'db'>, row: Record<string, unknown>): Promise<void> {
  await db.transaction((trx) => trx('tasks').insert(row))
}
