import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

interface Options extends Pick<ListFlags, 'columns' | 'sort' | 'output'> {
  area?: string
  search?: string
  changed?: true
}

export function optionList(cli: Cli): Command {
  const command = new Command('list')
    .description('List options and their values; secrets are never listed')
    .option('--area <word>', 'only those of one area, such as quota, ratio or login')
    .option('--search <text>', 'only those whose name or description contains this')
    .option('--changed', 'only those that are not at their default')
  return withViewFlags(command)
    .addHelpText('after', '\nExamples:\n  tollgate option list --area quota\n  tollgate option list --changed')
    .action(async ({ area, search, changed, ...flags }: Options) => {
      const { OPTION_COLUMNS, optionAreas, optionRows } = await import('../../columns/option.ts')
      const areas = optionAreas()
      if (area !== undefined && !areas.includes(area)) {
        throw usageError(cli.say`--area must be one of ${areas.join(', ')}`)
      }
      const { toolkit, actor } = await cli.open()
      const wanted = search?.toLowerCase() ?? ''
      const rows = optionRows(await toolkit.options.list(actor)).filter(
        (row) =>
          (area === undefined || row.area === area) &&
          (!changed || row.changed) &&
          `${row.key}\n${row.description}`.toLowerCase().includes(wanted),
      )
      await showAll(cli, flags, rows, { columns: OPTION_COLUMNS, empty: cli.say`No such options.` })
    })
}
