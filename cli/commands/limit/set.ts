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
  description: 'Set limits; each replaces the one of the same subject, measure and window',
  help: `Examples:
  tollgate limit set user '*' --requests 60 --per minute
  tollgate limit set token 1 --quota '$5' --per day --timezone Asia/Shanghai
  tollgate limit set channel 1 --concurrency 10 --queue 5s`,
  syntax: (command) =>
    command
      .addArgument(new Argument('<subject>', 'what it is about').choices([...LIMIT_SUBJECTS]))
      .argument(
        '<name|id>',
        "a user's name, an id, a group, a model, an address, channel/digest of a key; '*' for each",
      )
      .option('--requests <n>', 'requests in a window', limitAmount)
      .option('--tokens <n>', 'tokens of prompts and replies in a window', limitAmount)
      .option('--quota <amount>', "quota in a window, such as 500000 or '$1'", quotaArgument)
      .option('--concurrency <n>', 'requests at the same time, without a window', limitAmount)
      .addOption(
        new Option('--per <window>', 'how long a window is').choices(
          LIMIT_PERIODS.filter((period) => period !== 'none'),
        ),
      )
      .option('--timezone <name>', 'windows of the calendar in this IANA time zone, instead of rolling ones')
      .option('--queue <time>', 'let requests wait up to this long instead of rejecting them, up to 300 s', waitingTime)
      .option('--notify', 'mail root instead of rejecting requests'),
  async run(cli, subject: LimitSubject, id: string, options: Options) {
    const wanted = measured(cli, options)
    const { toolkit, actor } = await cli.open()
    const subject_id = await subjectIdOf(toolkit, actor, { subject, id })
    const limits = await toolkit.limits.set(
      actor,
      wanted.map((limit) => ({ subject, subject_id, ...limit })),
    )
    cli.report(counted(limits.length, cli.say`1 limit is set.`, cli.say`${limits.length} limits are set.`), limits)
  },
})

type Measured = Omit<NewLimit, 'subject' | 'subject_id'>

function measured(cli: Cli, options: Options): Measured[] {
  const { requests, tokens, quota, concurrency, per: period, timezone, queue, notify } = options
  if (queue !== undefined && notify) throw usageError(cli.say`give either --queue or --notify, not both`)
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
    throw usageError(cli.say`--per and --timezone are for --requests, --tokens and --quota`)
  }
  if (concurrency !== undefined) limits.push({ measure: 'concurrent', period: 'none', amount: concurrency, ...action })
  if (limits.length === 0) throw usageError(cli.say`give what to limit: --requests, --tokens, --quota or --concurrency`)
  return limits
}
