import type { Correction } from '../../core/ledger/repair.ts'
import type { Verification } from '../../core/ledger/verify.ts'
import { EXIT } from '../errors.ts'
import type { Column } from '../output/column.ts'
import { noun, plainVerb, verb, YES } from '../run/verbs.ts'
import { ledgerReconcile } from './ledger/reconcile.ts'

const CORRECTION_COLUMNS: readonly Column<Correction>[] = [
  { title: 'table', value: ({ table }) => table },
  { title: 'id', value: ({ id }) => id, align: 'right' },
  { title: 'what', value: ({ what }) => what },
  { title: 'found', value: ({ found }) => String(found), align: 'right' },
  { title: 'expected', value: ({ expected }) => String(expected), align: 'right' },
  { title: 'correction', value: ({ correction }, { text }) => correction || text('none: check it manually') },
]

const DIFFERENCE_COLUMNS: readonly Column<Verification['differences'][number]>[] = [
  { title: 'user', value: ({ user_id }) => String(user_id), align: 'right' },
  { title: 'username', value: ({ username }) => username },
  { title: 'balance', value: ({ quota }) => String(quota), align: 'right' },
  { title: 'by the books', value: ({ expected }) => String(expected), align: 'right' },
  { title: 'difference', value: ({ quota, expected }) => String(quota - expected), align: 'right' },
  { title: 'held', value: ({ held_quota }) => String(held_quota), align: 'right' },
  { title: 'held by processes', value: ({ expected_held }) => String(expected_held), align: 'right' },
]

const ROW_COLUMNS: readonly Column<Verification['rows'][number]>[] = [
  { title: 'table', value: ({ table }) => table },
  { title: 'id', value: ({ id }) => id, align: 'right' },
  { title: 'what', value: ({ what }) => what },
  { title: 'found', value: ({ found }) => String(found), align: 'right' },
  { title: 'expected', value: ({ expected }) => String(expected), align: 'right' },
  { title: 'user', value: ({ user_id }) => String(user_id), align: 'right' },
]

export const ledger = noun('ledger', [
  verb({
    name: 'verify',
    description:
      'Verify all sums of the ledger: balances, held and used quota, orders, codes, tasks, counts; exit code 1 on a difference',
    example: 'tollgate ledger verify',
    async run({ cli, toolkit }) {
      const { withClock } = await import('../output/progress.ts')
      const verification = await withClock(cli.stderr, cli.text('Verifying the ledger'), () => toolkit.ledger.verify())
      const { equal, users, quota, entries, charges, differences, rows } = verification
      if (!equal) cli.exitCode = EXIT.failed
      if (cli.json) return cli.writeJson(verification)
      const sums = cli.say`entries ${entries} - charges ${charges} = ${entries - charges}, balances ${quota}`
      const people = users === 1 ? cli.text('1 user') : cli.say`${users} users`
      if (equal) return cli.write(cli.say`equal for ${people}: ${sums}`)
      if (differences.length > 0) await cli.print(differences, { columns: DIFFERENCE_COLUMNS, empty: '' })
      if (rows.length > 0) await cli.print(rows, { columns: ROW_COLUMNS, empty: '' })
      cli.write(cli.say`NOT equal for ${differences.length} of ${people}: ${sums}`)
      if (rows.length > 0) cli.write(cli.say`${rows.length} other rows differ`)
      cli.note(cli.say`To repair it: tollgate ledger repair`)
    },
  }),
  plainVerb({
    name: 'repair',
    description: 'Show corrections of the differences that `ledger verify` finds, and apply them after confirmation',
    help: `Each correction adds an entry that states the reason. Entries, charges and balances are never edited: if a balance differs, the
entry records the difference, and the ledger is equal from then on. Sums of other rows are recomputed. It can run beside a gateway.

Example:
  tollgate ledger repair`,
    syntax: (command) => command.option(...YES),
    async run(cli, { yes = false }: { yes?: boolean }) {
      const { toolkit, actor } = await cli.openLocal()
      const proposals = await toolkit.ledger.proposeRepairs()
      const possible = proposals.filter(({ correction }) => correction !== '')
      if (possible.length < proposals.length) cli.exitCode = EXIT.failed
      if (possible.length === 0)
        return cli.print(proposals, { columns: CORRECTION_COLUMNS, empty: cli.say`Nothing to repair.` })
      if (!yes) await cli.print(proposals, { columns: CORRECTION_COLUMNS, empty: '' })
      await cli.confirm(cli.say`Apply these ${possible.length} corrections?`, { yes })
      const done = await toolkit.ledger.repair(actor)
      await cli.print(done, { columns: CORRECTION_COLUMNS, empty: '' })
      const { equal } = await toolkit.ledger.verify()
      if (!equal) cli.exitCode = EXIT.failed
      cli.note(equal ? cli.say`The ledger balances.` : cli.say`The ledger still differs: tollgate ledger verify`)
    },
  }),
  ledgerReconcile,
])
