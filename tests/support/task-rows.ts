import type { LocalToolkit } from '../../core/toolkit.ts'

/** Adds a row like a drawing relay. */
export async function drawing({ db }: Pick<LocalToolkit, 'db'>, row: Record<string, unknown>): Promise<void> {
  await db.transaction((trx) => trx('midjourneys').insert(row))
}

/** Adds a row like a task relay. */
export async function asyncTask({ db }: Pick<LocalToolkit, 'db'>, row: Record<string, unknown>): Promise<void> {
  await db.transaction((trx) => trx('tasks').insert(row))
}
