import { Command, Option } from 'commander'
import type { Cli } from '../../cli.ts'
import { type ListFlags, showList, withListFlags } from '../../output/listing.ts'
import { type RecordFlags, toRecordFilter, withRecordFilter } from './filter.ts'

interface Options extends ListFlags, RecordFlags {
  id?: string
  api?: string
  status?: string
}

export function batchList(cli: Cli): Command {
  const command = withRecordFilter(
    new Command('list')
      .description('List batches of all users, newest first')
      .option('--id <id>', 'only the one with this id at its upstream')
      .addOption(new Option('--api <name>', 'only those of this API').choices(['openai', 'anthropic']))
      .option('--status <word>', 'only those in this state, for example in_progress, completed, ended or submitting'),
  )
  return withListFlags(command)
    .addHelpText(
      'after',
      '\nExamples:\n  tollgate batch list --status in_progress\n  tollgate batch list --user ann --since 7d --all',
    )
    .action(async ({ id, api, status, user, channel, since, until, ...flags }: Options) => {
      const [{ toolkit, actor }, { BATCH_COLUMNS }] = await Promise.all([cli.open(), import('../../columns/batch.ts')])
      const filter = {
        ...(await toRecordFilter(toolkit, actor, { user, channel, since, until })),
        ...(id !== undefined && { batch_id: id }),
        ...(api !== undefined && { api }),
        ...(status !== undefined && { status }),
      }
      await showList(cli, flags, (paging) => toolkit.batches.pageOfBatches(actor, { ...filter, ...paging }), {
        columns: BATCH_COLUMNS,
        empty: cli.say`No batches.`,
      })
    })
}
