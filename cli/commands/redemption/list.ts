import { Command } from 'commander'
import { pageLimit, positiveInt } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'

interface Options {
  search?: string
  status?: string
  page: number
  limit: number
}

export function redemptionList(cli: Cli): Command {
  return new Command('list')
    .description('List redemption codes, newest first')
    .option('--search <text>', 'only names that start with this, or the code of this number')
    .option('--status <word>', 'unused, disabled or used')
    .option('--page <n>', 'page to show', positiveInt, 1)
    .option('--limit <n>', 'rows of a page', pageLimit, 20)
    .addHelpText('after', '\nExample:\n  tollgate redemption list --status unused')
    .action(async ({ search, status, page, limit }: Options) => {
      const [{ toolkit, actor }, { REDEMPTION_STATUS }, { REDEMPTION_COLUMNS }, { numberOf }] = await Promise.all([
        cli.open(),
        import('../../../core/redemption/redemption.ts'),
        import('../../columns/redemption.ts'),
        import('../../words.ts'),
      ])
      const query = {
        page,
        pageSize: limit,
        ...(search !== undefined && { keyword: search }),
        ...(status !== undefined && { status: numberOf(REDEMPTION_STATUS, '--status', status) }),
      }
      await cli.print(await toolkit.redemption.list(actor, query), {
        columns: REDEMPTION_COLUMNS,
        empty: 'No codes. Make some with: tollgate redemption create --quota 500000 --count 10',
      })
    })
}
