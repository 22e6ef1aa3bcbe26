import type { SequenceBehind } from '../../../core/db/sequences.ts'
import type { Column } from '../../output/column.ts'
import { plainVerb, YES } from '../../run/verbs.ts'

const COLUMNS: readonly Column<SequenceBehind>[] = [
  { title: 'table', value: ({ table }) => table },
  { title: 'sequence', value: ({ sequence }) => sequence },
  { title: 'next id', value: ({ next }) => String(next), align: 'right' },
  { title: 'largest id', value: ({ largest }) => String(largest), align: 'right' },
]

export const dbRepair = plainVerb({
  name: 'repair',
  description:
    'Fix PostgreSQL sequences behind their tables, as after a failover, and remove the triggers of a killed copy',
  example: 'tollgate db repair --yes',
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
        await cli.confirm(cli.say`Set ${behind.length} sequences after the largest IDs of their tables?`, { yes })
        await repairSequences(db)
      }
      const notes = await copies.notesOfCopy(db)
      if (notes !== undefined) {
        await cli.confirm(
          cli.say`Remove the triggers of a copy and ${notes} recorded changes? This breaks a running copy.`,
          {
            yes,
          },
        )
        await copies.removeTriggers(db, await readTables(db))
        cli.note(cli.say`Removed the triggers of a copy.`)
        if (behind.length === 0 && !cli.json) return
      }
      await cli.print(behind, { columns: COLUMNS, empty: cli.say`Nothing to repair.` })
    })
  },
})
