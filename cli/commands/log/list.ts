import type { Page } from '../../../core/input.ts'
import type { LogFilter } from '../../../core/logs/filter.ts'
import type { Log } from '../../../core/logs/log.ts'
import type { Cli } from '../../cli.ts'
import { LOG_COLUMNS } from '../../columns/log.ts'
import { usageError } from '../../errors.ts'
import { type LogFilterOptions, toLogFilter, withLogFilter } from '../../input/log-filter.ts'
import { type ListFlags, pageOf, showList, withListFlags } from '../../output/listing.ts'
import { withRetryInParts } from '../../run/retry.ts'
import { plainVerb } from '../../run/verbs.ts'

type Options = LogFilterOptions & ListFlags & { keyStdin?: true }

/** Maximum number of rows that --all shows. All of them are in memory at the same time. */
const ALL_MAX = 100_000

export const logList = plainVerb({
  name: 'list',
  description: 'log.listLogRows',
  examples: [
    'tollgate log list --since 1h --type consumption',
    'tollgate log list --user ann --all --columns time,model,cost',
  ],
  syntax: (command) => withListFlags(withLogFilter(command).option('--key-stdin', 'log.rowsOfTheApiKey'), LOG_COLUMNS),
  async run(cli, { keyStdin, all, ...options }: Options) {
    const filter = toLogFilter(options)
    if (keyStdin && Object.keys(filter).length > 0) throw usageError(cli.t('log.keyStdinCannotBeCombined'))
    const read = keyStdin
      ? await ofKey(cli, all === true)
      : all
        ? await allRows(cli, filter)
        : await onePage(cli, filter)
    // `all` is not passed on, because `read` then returns all rows as one page.
    await showList(cli, options, read, { columns: LOG_COLUMNS, empty: cli.t('ui.noLogRows') })
  },
})

type Read = (paging: { page: number; pageSize: number }) => Promise<Page<Log>>

async function onePage(cli: Cli, filter: LogFilter): Promise<Read> {
  const { toolkit, actor } = await cli.open()
  return async (paging) => toolkit.logs.list(actor, { ...filter, ...paging })
}

/**
 * Returns a function that reads all rows. The function reads by table position: new rows shift pages, and ids in users'
 * lists are not unique.
 */
async function allRows(cli: Cli, filter: LogFilter): Promise<Read> {
  const { toolkit, actor } = await cli.open()
  return async () => {
    const { total } = await toolkit.logs.list(actor, { ...filter, page: 1, pageSize: 1 })
    if (total > ALL_MAX) throw usageError(cli.t('log.tooManyRowsToShow', { total }))
    const progress = cli.progress({ title: cli.t('redemption.reading'), total })
    const items: Log[] = []
    try {
      const { signal } = new AbortController()
      for await (const rows of withRetryInParts(cli, signal, () => toolkit.logs.scan(actor, filter))) {
        items.push(...rows)
        progress.at(items.length)
      }
    } finally {
      progress.end()
    }
    return { items, total: items.length, page: 1, page_size: items.length }
  }
}

async function ofKey(cli: Cli, all: boolean): Promise<Read> {
  const key = (await cli.readInput()).trim()
  if (key === '') throw usageError(cli.t('token.noKeyOnStdin'))
  const { toolkit } = await cli.open()
  const rows = await toolkit.logs.ofKey(key)
  return async ({ page, pageSize }) => {
    return all ? pageOf(rows, { page: 1, pageSize: rows.length }) : pageOf(rows, { page, pageSize })
  }
}
