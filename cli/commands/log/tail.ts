import { wholeNumber } from '../../input/arguments.ts'
import { type LogFilterOptions, toLogFilter, withLogFilter } from '../../input/log-filter.ts'
import { PAUSE_MS, pause, pollWithRetry, rowPrinter } from '../../output/follow.ts'
import { plainVerb } from '../../run/verbs.ts'

type Options = LogFilterOptions & { lines: number; follow?: true }

const LINES_MAX = 1000
export const logTail = plainVerb({
  name: 'tail',
  description: 'Print the newest log rows, and with -f those that come, until Ctrl-C',
  help: 'To follow them: tollgate log tail -f --json\n\nExamples:\n  tollgate log tail -n 20\n  tollgate log tail --type consumption --json',
  syntax: (command) =>
    withLogFilter(command)
      .option('-f, --follow', 'go on with rows as they come')
      .option('-n, --lines <n>', 'rows to begin with', wholeNumber({ min: 0, max: LINES_MAX }), 10),
  async run(cli, { lines: last, follow, ...options }: Options) {
    const filter = await toLogFilter(options)
    const { toolkit, actor } = await cli.open()
    const signal = follow ? cli.interruption() : undefined
    const print = await rowPrinter(cli, async () => (await import('../../columns/log.ts')).LOG_COLUMNS)
    let { items, cursor, more } = await toolkit.logs.follow(actor, filter, { last }, signal)
    print(items)
    const pauseMs = PAUSE_MS[(await cli.backing()).kind]
    while (signal && (await pause(more ? 0 : pauseMs, signal)) && cli.stdout.writable) {
      const next = await pollWithRetry(cli, signal, () => toolkit.logs.follow(actor, filter, { cursor }, signal))
      if (!next) break
      ;({ items, cursor, more } = next)
      print(items)
    }
  },
})
