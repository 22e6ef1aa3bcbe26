import type { Correction } from '../../../core/ledger/repair.ts'
import { EXIT } from '../../errors.ts'
import type { Column } from '../../output/column.ts'
import { plainVerb } from '../../run/verbs.ts'

const COLUMNS: readonly Column<Correction>[] = [
  { title: 'table', value: ({ table }) => table },
  { title: 'id', value: ({ id }) => id, align: 'right' },
  { title: 'what', value: ({ what }) => what },
  { title: 'found', value: ({ found }) => String(found), align: 'right' },
  { title: 'expected', value: ({ expected }) => String(expected), align: 'right' },
  { title: 'correction', value: ({ correction }, { text }) => correction || text('none: look at it yourself') },
]

export const ledgerRepair = plainVerb({
  name: 'repair',
  description:
    'Show how the differences that `ledger verify` finds can be corrected, and correct them after a confirmation',
  help: `Each correction adds an entry that states the reason. Entries, charges and balances are never edited: where a balance differs, the
entry says by how much, and the books are equal from then on. Sums of other rows are made again. It may run beside a gateway.

Example:
  tollgate ledger repair`,
  syntax: (command) => command.option('-y, --yes', 'do not ask'),
  async run(cli, { yes = false }: { yes?: boolean }) {
    const { toolkit, actor } = await cli.openLocal()
    const proposals = await toolkit.ledger.proposeRepairs()
    const possible = proposals.filter(({ correction }) => correction !== '')
    if (possible.length < proposals.length) cli.exitCode = EXIT.failed
    if (possible.length === 0) return cli.print(proposals, { columns: COLUMNS, empty: cli.say`Nothing to repair.` })
    if (!yes) await cli.print(proposals, { columns: COLUMNS, empty: '' })
    await cli.confirm(cli.say`Make these ${possible.length} corrections?`, { yes })
    const done = await toolkit.ledger.repair(actor)
    await cli.print(done, { columns: COLUMNS, empty: '' })
    const { equal } = await toolkit.ledger.verify()
    if (!equal) cli.exitCode = EXIT.failed
    cli.note(equal ? cli.say`The books balance.` : cli.say`The books still differ: tollgate ledger verify`)
  },
})
