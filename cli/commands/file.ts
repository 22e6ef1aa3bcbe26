import { defined } from '../../core/records.ts'
import { type RecordFlags, toRecordFilter, withRecordFilter } from '../batch-filter.ts'
import { FILE_COLUMNS as columns } from '../columns/batch.ts'
import { positiveInt, positiveInts } from '../input/arguments.ts'
import { bulkVerb, noun, pagedVerb, showVerb } from '../run/verbs.ts'

interface Filter extends RecordFlags {
  id?: string
  purpose?: string
}

export const file = noun('file', [
  pagedVerb({
    name: 'list',
    description: 'batch.listFilesOfAllUsers',
    examples: ['tollgate file list --purpose batch_output', 'tollgate file list --user ann --since 7d --all'],
    syntax: (command) =>
      withRecordFilter(
        command.option('--id <id>', 'batch.filterByUpstreamId').option('--purpose <word>', 'batch.filterByPurpose'),
      ),
    columns,
    async pages({ toolkit, actor }, { id, purpose, ...flags }: Filter) {
      const filter = { ...(await toRecordFilter(toolkit, actor, flags)), ...defined({ file_id: id, purpose }) }
      return (paging) => toolkit.batches.pageOfFiles(actor, { ...filter, ...paging })
    },
    empty: ({ t }) => t('batch.noFiles'),
  }),
  showVerb({
    name: 'get',
    description: 'batch.showAFile',
    examples: ['tollgate file get 1'],
    syntax: (command) => command.argument('<id>', 'batch.fileId', positiveInt),
    columns,
    record: ({ toolkit, actor }, id: number) => toolkit.batches.getFile(actor, id),
  }),
  bulkVerb({
    name: 'delete',
    description: 'batch.deleteFilesHere',
    examples: ['tollgate file delete 1 --yes'],
    argument: ['<id...>', 'batch.fileIDs', positiveInts],
    check: ({ toolkit, actor }, id: number) => toolkit.batches.getFile(actor, id),
    confirm: ({ t }, files) =>
      t('user.deleteThisCannotBeUndone', { files: files.map(({ file_id }) => file_id).join(', ') }),
    run: ({ toolkit, actor }, { id }) => toolkit.batches.deleteFile(actor, id),
    doneText: ({ t }, { id, file_id }) => t('batch.deletedFile', { id, fileId: file_id }),
    json: (deleted) => ({ deleted: deleted.map(({ id }) => id) }),
  }),
])
