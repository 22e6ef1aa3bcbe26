import { type LogFilterOptions, toLogFilter, withLogFilter } from '../../input/log-filter.ts'
import { type ExportOptions, withExportOptions } from '../../output/export-options.ts'
import { plainVerb } from '../../run/verbs.ts'

type Options = LogFilterOptions & ExportOptions

export const logExport = plainVerb({
  name: 'export',
  description: 'Write all log rows, newest first, however many they are; Ctrl-C leaves whole rows behind',
  examples: ['tollgate log export --since 30d --output logs.csv', 'tollgate log export --user ann --format csv'],
  syntax: (command) => withExportOptions(withLogFilter(command)),
  async run(cli, { output, format, force, ...options }: Options) {
    const filter = await toLogFilter(options)
    const [{ exportRows }, { LOG_CSV }] = await Promise.all([
      import('../../output/export-rows.ts'),
      import('./export-columns.ts'),
    ])
    await exportRows(cli, { output, format, force }, async () => {
      const { toolkit, actor } = await cli.open()
      const { total } = await toolkit.logs.list(actor, { ...filter, page: 1, pageSize: 1 })
      return { total, batches: (signal) => toolkit.logs.scan(actor, filter, signal), csv: LOG_CSV }
    })
  },
})
