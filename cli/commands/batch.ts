import { defined } from '../../core/records.ts'
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
    description: 'batch.listBatchesOfAllUsers',
    examples: ['tollgate batch list --status in_progress', 'tollgate batch list --user ann --since 7d --all'],
    syntax: (command) =>
      withRecordFilter(
        command
          .option('--id <id>', 'batch.filterByUpstreamId')
          .choice('--api <name>', 'batch.filterByApi', ['openai', 'anthropic'])
          .option('--status <word>', 'batch.filterByState'),
      ),
    columns,
    async pages({ toolkit, actor }, { id, api, status, ...flags }: Filter) {
      const filter = { ...(await toRecordFilter(toolkit, actor, flags)), ...defined({ batch_id: id, api, status }) }
      return (paging) => toolkit.batches.pageOfBatches(actor, { ...filter, ...paging })
    },
    empty: ({ t }) => t('batch.noBatches'),
  }),
  showVerb({
    name: 'get',
    description: 'batch.showABatch',
    examples: ['tollgate batch get 1'],
    syntax: (command) => command.argument('<id>', 'batch.batchId', positiveInt),
    columns,
    record: ({ toolkit, actor }, id: number) => toolkit.batches.getBatch(actor, id),
  }),
  bulkVerb({
    name: 'cancel',
    description: 'batch.cancelRunningBatches',
    examples: ['tollgate batch cancel 1 --yes'],
    argument: ['<id...>', 'batch.batchIDs', positiveInts],
    check: ({ toolkit, actor }, id: number) => toolkit.batches.getBatch(actor, id),
    confirm: ({ t }, batches) =>
      t('batch.cancelThisCannotBeUndone', { batches: batches.map(({ batch_id }) => batch_id).join(', ') }),
    run: ({ toolkit, actor }, { id }) => toolkit.batches.cancelBatch(actor, id),
    doneText: ({ t }, { id, batch_id, status }) => t('batch.batch', { id, batchId: batch_id, status }),
  }),
])
