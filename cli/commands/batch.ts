import { Option } from 'commander'
import { type RecordFlags, toRecordFilter, withRecordFilter } from '../batch-filter.ts'
import { BATCH_COLUMNS as columns } from '../columns/batch.ts'
import { positiveInt, positiveInts } from '../input/arguments.ts'
import { bulkVerb, noun, pagedVerb, showVerb } from '../run/verbs.ts'

interface Filter extends RecordFlags {
  id?: string
  api?: string
  status?: string
}

export const batch = noun('batch', [
  pagedVerb({
    name: 'list',
    description: 'List batches of all users, newest first',
    examples: ['tollgate batch list --status in_progress', 'tollgate batch list --user ann --since 7d --all'],
    syntax: (command) =>
      withRecordFilter(
        command
          .option('--id <id>', 'filter by upstream ID')
          .addOption(new Option('--api <name>', 'filter by API').choices(['openai', 'anthropic']))
          .option('--status <word>', 'filter by state, such as in_progress, completed, ended or submitting'),
      ),
    columns,
    async pages({ toolkit, actor }, { id, api, status, ...flags }: Filter) {
      const filter = {
        ...(await toRecordFilter(toolkit, actor, flags)),
        ...(id !== undefined && { batch_id: id }),
        ...(api !== undefined && { api }),
        ...(status !== undefined && { status }),
      }
      return (paging) => toolkit.batches.pageOfBatches(actor, { ...filter, ...paging })
    },
    empty: ({ say }) => say`No batches.`,
  }),
  showVerb({
    name: 'get',
    description: 'Show a batch',
    example: 'tollgate batch get 1',
    syntax: (command) => command.argument('<id>', 'batch ID', positiveInt),
    columns,
    record: ({ toolkit, actor }, id: number) => toolkit.batches.getBatch(actor, id),
  }),
  bulkVerb({
    name: 'cancel',
    description: 'Cancel running batches; served requests are charged',
    example: 'tollgate batch cancel 1 --yes',
    argument: ['<id...>', 'batch IDs', positiveInts],
    check: ({ toolkit, actor }, id: number) => toolkit.batches.getBatch(actor, id),
    confirm: ({ say }, batches) =>
      say`Cancel ${batches.map(({ batch_id }) => batch_id).join(', ')}? This cannot be undone.`,
    run: ({ toolkit, actor }, { id }) => toolkit.batches.cancelBatch(actor, id),
    done: ({ say }, { id, batch_id, status }) => say`Batch ${id}, ${batch_id}, is ${status}.`,
  }),
])
