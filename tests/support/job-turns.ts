import type { TestToolkit } from './toolkit.ts'

/** Lets it be every job's turn at once, and nobody lead any more: as if all that waits for a time had waited for it. */
export async function hurryJobs({ toolkit: { db } }: Pick<TestToolkit, 'toolkit'>): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('leases').delete()
    await trx('jobs').update({ started_at: 0 })
  })
}
