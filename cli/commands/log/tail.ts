import { Command } from 'commander'
import type { Log } from '../../../core/logs/log.ts'
import type { Followed } from '../../../core/logs/logs.ts'
import { wholeNumber } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { jsonText } from '../../json.ts'
import { type LogFilterOptions, toLogFilter, withLogFilter } from '../../log-filter.ts'

type Options = LogFilterOptions & { lines: number; follow?: true }

const LINES_MAX = 1000
/** A server counts calls: these are half of what it lets one address do. */
const PAUSE_MS = { local: 1000, remote: 2000 }
const RETRY_MS = 3000

export function logTail(cli: Cli): Command {
  return withLogFilter(new Command('tail'))
    .description('Print the newest log rows, and with -f those that come, until Ctrl-C')
    .option('-f, --follow', 'go on with rows as they come')
    .option('-n, --lines <n>', 'rows to begin with', wholeNumber({ min: 0, max: LINES_MAX }), 10)
    .addHelpText(
      'after',
      '\nTo follow them: tollgate log tail -f --json\n\nExamples:\n  tollgate log tail -n 20\n  tollgate log tail --type consumption --json',
    )
    .action(async ({ lines: last, follow, ...options }: Options) => {
      const filter = await toLogFilter(options)
      const { toolkit, actor } = await cli.open()
      const signal = follow ? cli.interruption() : undefined
      const print = await printer(cli)
      let { items, cursor, more } = await toolkit.logs.follow(actor, filter, { last }, signal)
      print(items)
      const pauseMs = PAUSE_MS[(await cli.backing()).kind]
      while (signal && (await pause(more ? 0 : pauseMs, signal)) && cli.stdout.writable) {
        const next = await patiently(cli, signal, () => toolkit.logs.follow(actor, filter, { cursor }, signal))
        if (!next) break
        ;({ items, cursor, more } = next)
        print(items)
      }
    })
}

async function printer(cli: Cli): Promise<(rows: readonly Log[]) => void> {
  if (cli.json) return (rows) => rows.forEach((row) => void cli.write(jsonText(row)))
  const [{ createLines }, { LOG_COLUMNS }, format] = await Promise.all([
    import('../../lines.ts'),
    import('../../columns/log.ts'),
    cli.format(),
  ])
  const lines = createLines(LOG_COLUMNS, format)
  let titled = false
  return (rows) => {
    if (rows.length > 0 && !titled) cli.write(lines.titles())
    titled ||= rows.length > 0
    for (const row of rows) cli.write(lines.line(row))
  }
}

/** Whether to go on. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  const { setTimeout: sleep } = await import('node:timers/promises')
  return sleep(ms, true, { signal }).catch(() => false)
}

/** Until a gateway that restarts is back; undefined after Ctrl-C. What cannot get better by waiting is thrown. */
async function patiently(cli: Cli, signal: AbortSignal, ask: () => Promise<Followed>): Promise<Followed | undefined> {
  const { failureOf } = await import('../../errors.ts')
  for (let waiting = false; ; waiting = true) {
    try {
      const answer = await ask()
      if (waiting) cli.note(cli.say`The gateway is back.`)
      return answer
    } catch (error) {
      if (signal.aborted) return undefined
      const { code, message } = failureOf(error, cli.language)
      if (!PASSING.has(code)) throw error
      if (!waiting) cli.note(cli.say`Waiting: ${message}`)
    }
    if (!(await pause(RETRY_MS, signal))) return undefined
  }
}
const PASSING = new Set([
  'SERVER_UNREACHABLE',
  'SERVER_BUSY',
  'SERVER_BROKEN',
  'SERVER_FOREIGN',
  'DATABASE_SILENT',
  'DATABASE_UNAVAILABLE',
])
