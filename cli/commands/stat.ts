import { Command, Option } from 'commander'
import type { Cli } from '../cli.ts'
import { usageColumns } from '../columns/usage.ts'
import { pastTime } from '../input/arguments.ts'
import { type ListFlags, showAll, withViewFlags } from '../output/listing.ts'
import type { Grouping } from './stat/usage.ts'

interface Options extends Pick<ListFlags, 'columns' | 'sort' | 'output'> {
  by: Grouping
  since?: number
  until?: number
  user?: string
}

const DEFAULT_S = 7 * 86_400

export function stat(cli: Cli): Command {
  const command = new Command('stat')
    .addOption(new Option('--by <what>', 'what to group by').choices(['model', 'hour', 'day', 'week']).default('model'))
    .option('--since <when>', 'start: a duration such as 24h, or a date such as 2026-01-31 (default: 7d)', pastTime)
    .option('--until <when>', 'end: the same formats (default: now)', pastTime)
    .option('--user <name>', 'usage of this user; administrators only')
  return withViewFlags(command)
    .addHelpText(
      'after',
      `
Usage is stored per hour: ranges are widened to whole hours. Days and weeks follow your clock.

Examples:
  tollgate stat --since 24h
  tollgate stat --by day --since 30d --user ann`,
    )
    .action(async ({ by, since, until, user, ...view }: Options) => {
      const now = Math.floor(Date.now() / 1000)
      const [{ addUp, readCounts }, { toolkit, actor }] = await Promise.all([import('./stat/usage.ts'), cli.open()])
      const range = { start: since ?? now - DEFAULT_S, end: until ?? now }
      const counts = await readCounts(toolkit, actor, { ...range, ...(user !== undefined && { username: user }) })
      const { rows, total } = addUp(counts, by)
      if (cli.json && view.output === undefined) return cli.writeJson({ by, ...range, total, rows })
      const format = await cli.format()
      await showAll(cli, view, rows, { columns: usageColumns(by, total, format), empty: cli.say`No usage.` })
      if (rows.length > 0 && view.output === undefined) {
        cli.note(cli.say`Total: ${total.count} requests, ${total.token_used} tokens, ${format.quota(total.quota)}`)
      }
    })
}
