import type { SequenceBehind } from '../../../core/db/sequences.ts'
import type { Column } from '../../output/column.ts'
import { plainVerb, YES } from '../../run/verbs.ts'

const COLUMNS: readonly Column<SequenceBehind>[] = [
  { name: 'table', value: ({ table }) => table },
  { name: 'sequence', value: ({ sequence }) => sequence },
  { name: 'next-id', value: ({ next }) => String(next), align: 'right' },
  { name: 'largest-id', value: ({ largest }) => String(largest), align: 'right' },
]

export const dbRepair = plainVerb({
  name: 'repair',
  description: 'db.fixPostgreSQLSequencesBehindTheirTables',
  examples: ['tollgate db repair --yes'],
  syntax: (command) => command.option(...YES),
  async run(cli, { yes = false }: { yes?: boolean }) {
    const [{ withDatabase }, { findSequencesBehind, repairSequences }, copies, { readTables }] = await Promise.all([
      import('./open.ts'),
      import('../../../core/db/sequences.ts'),
      import('../../../core/db/copy/changes.ts'),
      import('../../../core/db/copy/tables.ts'),
    ])
    await withDatabase(cli, async (db) => {
      const behind = await findSequencesBehind(db)
      if (behind.length > 0) {
        await cli.confirm(cli.t('db.setSequencesAfterTheLargestIDs', { count: behind.length }), { yes })
        await repairSequences(db)
      }
      const notes = await copies.countChangesOfCopy(db)
      if (notes !== undefined) {
        await cli.confirm(cli.t('db.removeTheTriggersOfACopy', { changes: notes }), {
          yes,
        })
        await copies.removeTriggers(db, await readTables(db))
        cli.note(cli.t('db.removedTheTriggersOfACopy'))
        if (behind.length === 0 && !cli.json) return
      }
      await cli.print(behind, { columns: COLUMNS, empty: cli.t('db.nothingToRepair') })
    })
  },
})
