import type { TestToolkit } from './toolkit.ts'

/** Makes all jobs due at once, and deletes all leases, as if they had expired. */
export async function hurryJobs({ toolkit: { db } }: Pick<TestToolkit, 'toolkit'>): Promise<void> {
  await db.transaction(async (trx) => {
    await trx('leases').delete()
    await trx('jobs').update({ started_at: 0 })
  })
}
