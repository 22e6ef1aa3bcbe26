import { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'
import { type RecordFlags, toRecordFilter, withRecordFilter } from '../batch/filter.ts'

interface Options extends ListFlags, RecordFlags {
  id?: string
  purpose?: string
}

export function fileList(cli: Cli): Command {
  const command = withRecordFilter(
    new Command('list')
      .description('List files of all users at upstreams, newest first')
      .option('--id <id>', 'only the one with this id at its upstream')
      .option('--purpose <word>', 'only those of this purpose, for example batch, batch_output or user_data'),
  )
  return withListFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate file list --purpose batch_output\n  tollgate file list --user ann --since 7d --all',
    )
    .action(async ({ id, purpose, user, channel, since, until, ...flags }: Options) => {
      const [{ toolkit, actor }, { FILE_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/batch.ts')])
      const filter = {
        ...(await toRecordFilter(toolkit, actor, { user, channel, since, until })),
        ...(id !== undefined && { file_id: id }),
        ...(purpose !== undefined && { purpose }),
      }
      await showList(cli, flags, (paging) => toolkit.batches.pageOfFiles(actor, { ...filter, ...paging }), {
        columns: FILE_COLUMNS,
        empty: cli.say`No files.`,
      })
    })
}
