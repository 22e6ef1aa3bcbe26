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
    description: 'List files of all users, newest first',
    examples: ['tollgate file list --purpose batch_output', 'tollgate file list --user ann --since 7d --all'],
    syntax: (command) =>
      withRecordFilter(
        command
          .option('--id <id>', 'filter by upstream ID')
          .option('--purpose <word>', 'filter by purpose, such as batch, batch_output or user_data'),
      ),
    columns,
    async pages({ toolkit, actor }, { id, purpose, ...flags }: Filter) {
      const filter = {
        ...(await toRecordFilter(toolkit, actor, flags)),
        ...(id !== undefined && { file_id: id }),
        ...(purpose !== undefined && { purpose }),
      }
      return (paging) => toolkit.batches.pageOfFiles(actor, { ...filter, ...paging })
    },
    empty: ({ say }) => say`No files.`,
  }),
  showVerb({
    name: 'get',
    description: 'Show a file',
    example: 'tollgate file get 1',
    syntax: (command) => command.argument('<id>', 'file ID', positiveInt),
    columns,
    record: ({ toolkit, actor }, id: number) => toolkit.batches.getFile(actor, id),
  }),
  bulkVerb({
    name: 'delete',
    description: 'Delete files here and at their upstreams, permanently',
    example: 'tollgate file delete 1 --yes',
    argument: ['<id...>', 'file IDs', positiveInts],
    check: ({ toolkit, actor }, id: number) => toolkit.batches.getFile(actor, id),
    confirm: ({ say }, files) => say`Delete ${files.map(({ file_id }) => file_id).join(', ')}? This cannot be undone.`,
    run: ({ toolkit, actor }, { id }) => toolkit.batches.deleteFile(actor, id),
    done: ({ say }, { id, file_id }) => say`Deleted file ${id}, ${file_id}.`,
    json: (deleted) => ({ deleted: deleted.map(({ id }) => id) }),
  }),
])
