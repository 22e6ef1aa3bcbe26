import { wholeNumber } from '../../input/arguments.ts'
import { PAUSE_MS, pause, pollWithRetry, rowPrinter } from '../../output/follow.ts'
import { plainVerb } from '../../run/verbs.ts'
import { type AuditFilterFlags, toAuditQuery, withAuditFilter } from './filter.ts'

type Options = AuditFilterFlags & { lines: number; follow?: true }

const LINES_MAX = 1000

export const auditTail = plainVerb({
  name: 'tail',
  description: 'Print what administrators did last, and with -f what they do, until Ctrl-C',
  help: 'To follow them: tollgate audit tail -f --json\n\nExamples:\n  tollgate audit tail -n 20\n  tollgate audit tail --actor ann --json',
  syntax: (command) =>
    withAuditFilter(command)
      .option('-f, --follow', 'go on with rows as they come')
      .option('-n, --lines <n>', 'rows to begin with', wholeNumber({ min: 0, max: LINES_MAX }), 10),
  async run(cli, { lines, follow, ...options }: Options) {
    const filter = toAuditQuery(options)
    const { toolkit, actor } = await cli.open()
    const signal = follow ? cli.interruption() : undefined
    const print = await rowPrinter(cli, async () => (await import('../../columns/audit.ts')).AUDIT_COLUMNS)
    // Even with --lines 0, the newest id is the starting point.
    const newest = await toolkit.audit.list(actor, { ...filter, pageSize: Math.max(lines, 1) })
    let afterId = newest[0]?.id ?? 0
    print(newest.slice(0, lines).reverse())
    const pauseMs = PAUSE_MS[(await cli.backing()).kind]
    while (signal && (await pause(pauseMs, signal)) && cli.stdout.writable) {
      const rows = await pollWithRetry(cli, signal, async () =>
        toolkit.audit.list(actor, { ...filter, afterId, pageSize: LINES_MAX }),
      )
      if (!rows) break
      afterId = rows.at(-1)?.id ?? afterId
      print(rows)
    }
  },
})
