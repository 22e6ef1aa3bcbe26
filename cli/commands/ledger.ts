import type { Correction } from '../../core/ledger/repair.ts'
import type { LedgerVerification } from '../../core/ledger/schema.ts'
import { EXIT } from '../errors.ts'
import type { Column } from '../output/column.ts'
import { withClock } from '../output/progress.ts'
import { noun, plainVerb, verb, YES } from '../run/verbs.ts'
import { ledgerReconcile } from './ledger/reconcile.ts'

const CORRECTION_COLUMNS: readonly Column<Correction>[] = [
  { name: 'table', value: ({ table }) => table },
  { name: 'id', value: ({ id }) => id, align: 'right' },
  { name: 'what', value: ({ what }) => what },
  { name: 'found', value: ({ found }) => String(found), align: 'right' },
  { name: 'expected', value: ({ expected }) => String(expected), align: 'right' },
  { name: 'correction', value: ({ correction }, { t }) => correction || t('ledger.noneCheckItManually') },
]

const DIFFERENCE_COLUMNS: readonly Column<LedgerVerification['differences'][number]>[] = [
  { name: 'user', value: ({ user_id }) => String(user_id), align: 'right' },
  { name: 'username', value: ({ username }) => username },
  { name: 'balance', value: ({ quota }) => String(quota), align: 'right' },
  { name: 'by-the-books', value: ({ expected }) => String(expected), align: 'right' },
  { name: 'difference', value: ({ quota, expected }) => String(quota - expected), align: 'right' },
  { name: 'held', value: ({ held_quota }) => String(held_quota), align: 'right' },
  { name: 'held-by-processes', value: ({ expected_held }) => String(expected_held), align: 'right' },
]

const ROW_COLUMNS: readonly Column<LedgerVerification['rows'][number]>[] = [
  { name: 'table', value: ({ table }) => table },
  { name: 'id', value: ({ id }) => id, align: 'right' },
  { name: 'what', value: ({ what }) => what },
  { name: 'found', value: ({ found }) => String(found), align: 'right' },
  { name: 'expected', value: ({ expected }) => String(expected), align: 'right' },
  { name: 'user', value: ({ user_id }) => String(user_id), align: 'right' },
]

export const ledger = noun('ledger', [
  verb({
    name: 'verify',
    description: 'ledger.verifyAllSumsOfTheLedger',
    examples: ['tollgate ledger verify'],
    async run({ cli, toolkit }) {
      const verification = await withClock(cli.stderr, cli.t('db.verifyingTheLedger'), () => toolkit.ledger.verify())
      const { equal, users, quota, entries, charges, differences, rows } = verification
      if (!equal) cli.exitCode = EXIT.failed
      if (cli.json) return cli.writeJson(verification)
      const sums = cli.t('watching.entriesCharges', { entries, charges, sum: entries - charges, quota })
      const people = cli.t('watching.users', { count: users })
      if (equal) return cli.write(cli.t('watching.equalFor', { users: people, figures: sums }))
      if (differences.length > 0) await cli.print(differences, { columns: DIFFERENCE_COLUMNS, empty: '' })
      if (rows.length > 0) await cli.print(rows, { columns: ROW_COLUMNS, empty: '' })
      cli.write(cli.t('watching.notEqualForOf', { count: differences.length, users: people, figures: sums }))
      if (rows.length > 0) cli.write(cli.t('ledger.otherRowsDiffer', { count: rows.length }))
      cli.note(cli.t('ledger.toRepair'))
    },
  }),
  plainVerb({
    name: 'repair',
    description: 'ledger.showCorrectionsOfTheDifferences',
    examples: ['tollgate ledger repair'],
    syntax: (command) => command.note('ledger.eachCorrectionAddsAnEntry').option(...YES),
    async run(cli, { yes = false }: { yes?: boolean }) {
      const { toolkit, actor } = await cli.openLocal()
      const proposals = await toolkit.ledger.proposeRepairs()
      const possible = proposals.filter(({ correction }) => correction !== '')
      const manual = proposals.filter(({ correction }) => correction === '')
      if (manual.length > 0) cli.exitCode = EXIT.failed
      if (possible.length === 0)
        return cli.print(proposals, { columns: CORRECTION_COLUMNS, empty: cli.t('db.nothingToRepair') })
      if (!yes) await cli.print(proposals, { columns: CORRECTION_COLUMNS, empty: '' })
      await cli.confirm(cli.t('ledger.applyTheseCorrections', { count: possible.length }), { yes })
      const done = await toolkit.ledger.repair(actor)
      // Also prints the manual rows. If the corrections make the sums equal, `ledger verify` no longer lists these
      // rows.
      await cli.print([...done, ...manual], { columns: CORRECTION_COLUMNS, empty: '' })
      const { equal } = await toolkit.ledger.verify()
      if (!equal) cli.exitCode = EXIT.failed
      cli.note(equal ? cli.t('ledger.theLedgerBalances') : cli.t('ledger.theLedgerStillDiffers'))
    },
  }),
  ledgerReconcile,
])
