import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showAll, withViewFlags } from '../../output/listing.ts'

export function logSearch(cli: Cli): Command {
  const command = new Command('search')
    .description('Find the newest 100 rows whose text starts with a word, or that are of a type')
    .argument('<keyword>', 'start of the text, or the number of a type; common users search by type alone')
  return withViewFlags(command)
    .addHelpText('after', '\nExample:\n  tollgate log search 2 --columns time,model,cost')
    .action(async (keyword: string, flags: Pick<ListFlags, 'columns' | 'sort' | 'output'>) => {
      const [{ toolkit, actor }, { LOG_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/log.ts')])
      const rows = await toolkit.logs.search(actor, keyword)
      await showAll(cli, flags, rows, { columns: LOG_COLUMNS, empty: cli.say`No log rows.` })
    })
}
