import { Argument } from 'commander'
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
import { plainVerb } from '../../run/verbs.ts'
import { resolveSubjectId } from './subject.ts'

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
  description: 'limit.setLimits',
  examples: [
    "tollgate limit set user '*' --requests 60 --per minute",
    "tollgate limit set token 1 --quota '$5' --per day --timezone Asia/Shanghai",
    'tollgate limit set channel 1 --concurrency 10 --queue 5s',
  ],
  syntax: (command) =>
    command
      .addArgument(new Argument('<subject>', command.t('limit.whatTheLimitAppliesTo')).choices([...LIMIT_SUBJECTS]))
      .argument('<name|id>', 'limit.nameOrId')
      .option('--requests <n>', 'limit.requestsPerWindow', limitAmount)
      .option('--tokens <n>', 'limit.promptAndReplyTokensPerWindow', limitAmount)
      .option('--quota <amount>', 'limit.quotaPerWindow', quotaArgument)
      .option('--concurrency <n>', 'limit.concurrentRequests', limitAmount)
      .choice(
        '--per <window>',
        'limit.lengthOfAWindow',
        LIMIT_PERIODS.filter((period) => period !== 'none'),
      )
      .option('--timezone <name>', 'limit.useCalendarWindowsInThisIana')
      .option('--queue <time>', 'limit.queueRequests', waitingTime)
      .option('--notify', 'limit.emailRootInsteadOfRejectingRequests'),
  async run(cli, subject: LimitSubject, id: string, options: Options) {
    const newLimits = limitsFrom(cli, options)
    const { toolkit, actor } = await cli.open()
    const subject_id = await resolveSubjectId({ cli, toolkit, actor }, { subject, id })
    const limits = await toolkit.limits.set(
      actor,
      newLimits.map((limit) => ({ subject, subject_id, ...limit })),
    )
    cli.report(cli.t('limit.limitsSet', { count: limits.length }), limits)
  },
})

type LimitAmount = Omit<NewLimit, 'subject' | 'subject_id'>

function limitsFrom(cli: Cli, options: Options): LimitAmount[] {
  const { requests, tokens, quota, concurrency, per: period, timezone, queue, notify } = options
  if (queue !== undefined && notify) throw usageError(cli.t('limit.passEitherQueueOrNotify'))
  const action: Pick<NewLimit, 'action' | 'wait_seconds'> =
    queue === undefined ? { action: notify ? 'notify' : 'reject' } : { action: 'queue', wait_seconds: queue }
  const limits: LimitAmount[] = []
  for (const [measure, amount] of Object.entries({ requests, tokens, quota })) {
    if (amount === undefined) continue
    if (period === undefined) throw usageError(cli.t('limit.needsPer', { measure }))
    limits.push({
      measure: measure as 'requests' | 'tokens' | 'quota',
      period,
      amount,
      ...(timezone !== undefined && { time_zone: timezone }),
      ...action,
    })
  }
  if (limits.length === 0 && (period ?? timezone) !== undefined) {
    throw usageError(cli.t('limit.perAndTimezoneNeedRequests'))
  }
  if (concurrency !== undefined) limits.push({ measure: 'concurrent', period: 'none', amount: concurrency, ...action })
  if (limits.length === 0) throw usageError(cli.t('limit.nothingToLimit'))
  return limits
}
