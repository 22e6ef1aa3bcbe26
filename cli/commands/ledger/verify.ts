import type { Verification } from '../../../core/ledger/verify.ts'
import { EXIT } from '../../errors.ts'
import type { Column } from '../../output/column.ts'
import { verb } from '../../run/verbs.ts'

const COLUMNS: readonly Column<Verification['differences'][number]>[] = [
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

export const ledgerVerify = verb({
  name: 'verify',
  description:
    'Prove every sum of the books: balances, held and used quota, orders, codes, tasks, counts; exit code 1 when one differs',
  example: 'tollgate ledger verify',
  async run({ cli, toolkit }) {
    const { withClock } = await import('../../output/progress.ts')
    const verification = await withClock(cli.stderr, cli.text('Verifying the books'), () => toolkit.ledger.verify())
    const { equal, users, quota, entries, charges, differences, rows } = verification
    if (!equal) cli.exitCode = EXIT.failed
    if (cli.json) return cli.writeJson(verification)
    const sums = cli.say`entries ${entries} - charges ${charges} = ${entries - charges}, balances ${quota}`
    const people = users === 1 ? cli.text('1 user') : cli.say`${users} users`
    if (equal) return cli.write(cli.say`equal for ${people}: ${sums}`)
    if (differences.length > 0) await cli.print(differences, { columns: COLUMNS, empty: '' })
    if (rows.length > 0) await cli.print(rows, { columns: ROW_COLUMNS, empty: '' })
    cli.write(cli.say`NOT equal for ${differences.length} of ${people}: ${sums}`)
    if (rows.length > 0) cli.write(cli.say`${rows.length} other rows differ`)
    cli.note(cli.say`What can be done: tollgate ledger repair`)
  },
})
