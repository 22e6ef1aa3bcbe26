import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'

interface Options extends ListFlags {
  search?: string
  status?: string
  name?: string
}

export function redemptionList(cli: Cli): Command {
  const command = new Command('list')
    .description('List redemption codes, newest first')
    .option('--search <text>', 'only names that start with this, or the code of this number')
    .option('--name <text>', 'only codes of exactly this name')
    .option('--status <word>', 'unused, disabled or used')
  return withListFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate redemption list --status unused\n  tollgate redemption list --search spring --all --json',
    )
    .action(async ({ search, status, name, ...flags }: Options) => {
      const [{ toolkit, actor }, { REDEMPTION_STATUS }, { REDEMPTION_COLUMNS }, { numberOf }] = await Promise.all([
        cli.open(),
        import('../../../core/redemption/redemption.ts'),
        import('../../columns/redemption.ts'),
        import('../../input/enum-labels.ts'),
      ])
      const filter = {
        ...(search !== undefined && { keyword: search }),
        ...(name !== undefined && { name }),
        ...(status !== undefined && { status: numberOf(REDEMPTION_STATUS, '--status', status) }),
      }
      await showList(cli, flags, async (paging) => toolkit.redemption.list(actor, { ...filter, ...paging }), {
        columns: REDEMPTION_COLUMNS,
        empty: cli.say`No codes. Make some with: tollgate redemption create --quota 500000 --count 10`,
      })
    })
}
