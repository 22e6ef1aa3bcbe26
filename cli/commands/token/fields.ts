import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { NewLimit } from '../../../core/limits/limit.ts'
import type { NewToken } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'
import { futureTime, limitAmount, quotaArgument, usdAmount } from '../../input/arguments.ts'

/** Flags for the fields of a token. */
export interface TokenFields {
  quota?: number
  unlimited?: true
  expires?: number
  models?: string
  allowIps?: string
  allowIpsFile?: string
  group?: string
  storeResponses?: 'on' | 'off'
}

/** Flags for the limits of a token. */
export interface TokenLimits {
  rpm?: number
  tpm?: number
  concurrency?: number
  dailyUsd?: number
  weeklyUsd?: number
  monthlyUsd?: number
  timezone?: string
}

/** A limit without its subject. */
export type TokenLimit = Omit<NewLimit, 'subject' | 'subject_id'>

/** Periods of the flags for money. */
export const MONEY_PERIODS = ['day', 'week', 'month'] as const

/** Upper limit for a list; rejects a file given by mistake. */
const FILE_BYTES_MAX = 65_536

export function withTokenFields(
  command: Command,
  { otherwise }: { otherwise: Record<'quota' | 'rest', string> },
): Command {
  return command
    .option('--quota <amount>', `budget, such as 500000 or '$1' (default: ${otherwise.quota})`, quotaArgument)
    .option('--unlimited', 'no budget: it can spend the whole balance of its owner')
    .option(
      '--expires <when>',
      `a duration such as 30d, 12h or 1y, a date such as 2030-01-31, or never (default: ${otherwise.rest})`,
      futureTime,
    )
    .option('--models <list>', 'allowed models, separated by commas; can be unknown')
    .option('--allow-ips <list>', 'allowed addresses or ranges, separated by commas')
    .option('--allow-ips-file <file>', 'the same from a file, one per line; # starts a comment')
    .option('--group <name>', "group for charging and routing: the owner's, or one that the owner can use")
    .addOption(
      new Option('--store-responses <on|off>', 'store responses, so that clients can continue from them').choices([
        'on',
        'off',
      ]),
    )
}

export function withTokenLimits(command: Command, { timezone }: { timezone: string }): Command {
  return command
    .option('--rpm <n>', 'maximum requests per minute', limitAmount)
    .option('--tpm <n>', 'maximum tokens per minute', limitAmount)
    .option('--concurrency <n>', 'maximum concurrent requests', limitAmount)
    .option('--daily-usd <amount>', 'maximum dollars per day of --timezone', usdAmount)
    .option('--weekly-usd <amount>', 'maximum dollars per week, starting on Monday', usdAmount)
    .option('--monthly-usd <amount>', 'maximum dollars per calendar month', usdAmount)
    .option('--timezone <name>', `IANA time zone of these windows, such as Asia/Shanghai (default: ${timezone})`)
}

/** The given limits, without fields that no flag states. */
export function tokenLimits(options: TokenLimits): TokenLimit[] {
  const { rpm, tpm, concurrency, dailyUsd, weeklyUsd, monthlyUsd, timezone } = options
  const spending = { day: dailyUsd, week: weeklyUsd, month: monthlyUsd }
  const limits: TokenLimit[] = []
  if (rpm !== undefined) limits.push({ measure: 'requests', period: 'minute', amount: rpm })
  if (tpm !== undefined) limits.push({ measure: 'tokens', period: 'minute', amount: tpm })
  if (concurrency !== undefined) limits.push({ measure: 'concurrent', period: 'none', amount: concurrency })
  for (const period of MONEY_PERIODS) {
    const amount = spending[period]
    if (amount === undefined) continue
    limits.push({ measure: 'quota', period, amount, ...(timezone !== undefined && { time_zone: timezone }) })
  }
  return limits
}

/** Whether --timezone is given without an amount of money. */
export function isTimezoneAlone({ timezone, dailyUsd, weeklyUsd, monthlyUsd }: TokenLimits): boolean {
  return timezone !== undefined && (dailyUsd ?? weeklyUsd ?? monthlyUsd) === undefined
}

export function timezoneAloneError({ say }: Cli): CommandError {
  return usageError(say`--timezone needs --daily-usd, --weekly-usd or --monthly-usd`)
}

/** The given fields. Throws FILE_UNREADABLE, and a usage error for flags that exclude each other. */
export function tokenFields(cli: Cli, options: TokenFields): Partial<NewToken> {
  const { quota, unlimited, expires, models, allowIps, allowIpsFile, group, storeResponses } = options
  if (unlimited && quota !== undefined) throw usageError(cli.say`pass either --quota or --unlimited, not both`)
  if (allowIps !== undefined && allowIpsFile !== undefined) {
    throw usageError(cli.say`pass either --allow-ips or --allow-ips-file, not both`)
  }
  if (models?.trim() === '') throw usageError(cli.say`--models needs at least one model`)
  const addresses = allowIpsFile === undefined ? allowIps?.split(',').join('\n') : addressesIn(cli, allowIpsFile)
  if (addresses?.trim() === '')
    throw usageError(cli.say`the list has no addresses, so the key could not be used: add one`)
  return {
    ...(quota !== undefined && { remain_quota: quota, unlimited_quota: false }),
    ...(unlimited && { unlimited_quota: true }),
    ...(expires !== undefined && { expired_time: expires }),
    ...(models !== undefined && { model_limits: models, model_limits_enabled: true }),
    ...(addresses !== undefined && { allow_ips: addresses }),
    ...(group !== undefined && { group }),
    ...(storeResponses !== undefined && { store_responses: storeResponses === 'on' }),
  }
}

function addressesIn(cli: Cli, path: string): string {
  let text: string
  try {
    text = readFileSync(resolve(cli.folder, path), 'utf8')
  } catch (cause) {
    const { message } = cause as Error
    throw new CommandError('FILE_UNREADABLE', cli.say`cannot read the --allow-ips-file: ${message}`, { cause })
  }
  if (text.length > FILE_BYTES_MAX)
    throw usageError(cli.say`${path} is too long for a list of addresses: pass another file`)
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim())
  return lines.filter((line) => line !== '').join('\n')
}
