import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

export function groupList(cli: Cli): Command {
  return withViewFlags(
    new Command('list').description('List groups: all of them for administrators, else those that you may use'),
  )
    .addHelpText('after', '\nExamples:\n  tollgate group list\n  tollgate group list --sort -users')
    .action(async (flags: Pick<ListFlags, 'columns' | 'sort' | 'output'>) => {
      const [{ toolkit, actor }, { GROUP_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/group.ts')])
      const groups = await toolkit.groups.list(actor)
      await showAll(cli, flags, groups, { columns: GROUP_COLUMNS, empty: cli.say`There are no groups.` })
    })
}
