import { Argument, Option } from 'commander'
import {
  LIMIT_PERIODS,
  LIMIT_SUBJECTS,
  type LimitPeriod,
  type LimitSubject,
  type NewLimit,
} from '../../../core/limits/limit.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { limitAmount, quotaArgument, waitingTime } from '../../input/arguments.ts'
import { counted } from '../../input/enum-labels.ts'
import { plainVerb } from '../../run/verbs.ts'
import { subjectIdOf } from './subject.ts'

interface Options {
  requests?: number
  tokens?: number
  quota?: number
  concurrency?: number
  per?: Exclude<LimitPeriod, 'none'>
  timezone?: string
  queue?: number
  notify?: true
}

export const limitSet = plainVerb({
  name: 'set',
  description: 'Set limits; replaces those of the same subject, measure and window',
  help: `Examples:
  tollgate limit set user '*' --requests 60 --per minute
  tollgate limit set token 1 --quota '$5' --per day --timezone Asia/Shanghai
  tollgate limit set channel 1 --concurrency 10 --queue 5s`,
  syntax: (command) =>
    command
      .addArgument(new Argument('<subject>', 'what the limit applies to').choices([...LIMIT_SUBJECTS]))
      .argument(
        '<name|id>',
        "name or ID, IP address, channel/position of a key, or team/user of a member; '*' for each",
      )
      .option('--requests <n>', 'requests per window', limitAmount)
      .option('--tokens <n>', 'prompt and reply tokens per window', limitAmount)
      .option('--quota <amount>', "quota per window, such as 500000 or '$1'", quotaArgument)
      .option('--concurrency <n>', 'concurrent requests; has no window', limitAmount)
      .addOption(
        new Option('--per <window>', 'length of a window').choices(LIMIT_PERIODS.filter((period) => period !== 'none')),
      )
      .option('--timezone <name>', 'use calendar windows in this IANA time zone, instead of rolling ones')
      .option(
        '--queue <time>',
        'queue requests for up to this long, at most 300 s, instead of rejecting them',
        waitingTime,
      )
      .option('--notify', 'email root instead of rejecting requests'),
  async run(cli, subject: LimitSubject, id: string, options: Options) {
    const wanted = measured(cli, options)
    const { toolkit, actor } = await cli.open()
    const subject_id = await subjectIdOf({ cli, toolkit, actor }, { subject, id })
    const limits = await toolkit.limits.set(
      actor,
      wanted.map((limit) => ({ subject, subject_id, ...limit })),
    )
    cli.report(counted(limits.length, cli.say`Set 1 limit.`, cli.say`Set ${limits.length} limits.`), limits)
  },
})

type Measured = Omit<NewLimit, 'subject' | 'subject_id'>

function measured(cli: Cli, options: Options): Measured[] {
  const { requests, tokens, quota, concurrency, per: period, timezone, queue, notify } = options
  if (queue !== undefined && notify) throw usageError(cli.say`pass either --queue or --notify, not both`)
  const action: Pick<NewLimit, 'action' | 'wait_seconds'> =
    queue === undefined ? { action: notify ? 'notify' : 'reject' } : { action: 'queue', wait_seconds: queue }
  const limits: Measured[] = []
  for (const [measure, amount] of Object.entries({ requests, tokens, quota })) {
    if (amount === undefined) continue
    if (period === undefined) throw usageError(cli.say`--${measure} needs --per, such as --per minute`)
    limits.push({
      measure: measure as 'requests' | 'tokens' | 'quota',
      period,
      amount,
      ...(timezone !== undefined && { time_zone: timezone }),
      ...action,
    })
  }
  if (limits.length === 0 && (period ?? timezone) !== undefined) {
    throw usageError(cli.say`--per and --timezone need --requests, --tokens or --quota`)
  }
  if (concurrency !== undefined) limits.push({ measure: 'concurrent', period: 'none', amount: concurrency, ...action })
  if (limits.length === 0)
    throw usageError(cli.say`nothing to limit: pass --requests, --tokens, --quota or --concurrency`)
  return limits
}
