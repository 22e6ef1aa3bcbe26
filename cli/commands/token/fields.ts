import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { NewLimit } from '../../../core/limits/limit.ts'
import { fileErrorText } from '../../../core/messages/file-errors.ts'
import { defined } from '../../../core/records.ts'
import type { NewToken } from '../../../core/tokens/token.ts'
import type { Cli } from '../../cli.ts'
import type { Command } from '../../command.ts'
import { CommandError, usageError } from '../../errors.ts'
import { futureTime, limitAmount, quotaArgument, usdAmount } from '../../input/arguments.ts'
import type { TextId } from '../../texts.ts'

/** Flags for the fields of a token. */
export interface TokenFieldFlags {
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
export interface TokenLimitFlags {
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

/** Maximum size of a file with a list. Larger files are probably given by mistake. */
const FILE_BYTES_MAX = 65_536

export function withTokenFields(command: Command, { quota, expires }: Record<'quota' | 'expires', TextId>): Command {
  return command
    .option('--quota <amount>', quota, quotaArgument)
    .option('--unlimited', 'token.noBudget')
    .option('--expires <when>', expires, futureTime)
    .option('--models <list>', 'token.allowedModels')
    .option('--allow-ips <list>', 'token.allowedAddressesOrRanges')
    .option('--allow-ips-file <file>', 'token.theSameFromAFile')
    .option('--group <name>', 'token.groupForChargingAndRouting')
    .choice('--store-responses <on|off>', 'token.storeResponses', ['on', 'off'], { id: 'token.newTokensOn' })
}

export function withTokenLimits(command: Command, { timezone }: { timezone: TextId }): Command {
  return command
    .option('--rpm <n>', 'limit.maximumRequestsPerMinute', limitAmount)
    .option('--tpm <n>', 'limit.maximumTokensPerMinute', limitAmount)
    .option('--concurrency <n>', 'limit.maximumConcurrentRequests', limitAmount)
    .option('--daily-usd <amount>', 'limit.maximumDollarsPerDayOfTimezone', usdAmount)
    .option('--weekly-usd <amount>', 'limit.maximumDollarsPerWeek', usdAmount)
    .option('--monthly-usd <amount>', 'limit.maximumDollarsPerCalendarMonth', usdAmount)
    .option('--timezone <name>', timezone)
}

/** Returns the limits that flags give. Fields without a flag are absent. */
export function tokenLimits(options: TokenLimitFlags): TokenLimit[] {
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

/** Returns whether --timezone is given without a flag for an amount of money. */
export function isTimezoneAlone({ timezone, dailyUsd, weeklyUsd, monthlyUsd }: TokenLimitFlags): boolean {
  return timezone !== undefined && (dailyUsd ?? weeklyUsd ?? monthlyUsd) === undefined
}

export function timezoneAloneError({ t }: Cli): CommandError {
  return usageError(t('limit.timezoneNeedsDailyUsd'))
}

/**
 * Returns the token fields that flags give. Throws FILE_UNREADABLE, and a usage error for invalid flags and flags that
 * exclude each other.
 */
export function tokenFields(cli: Cli, options: TokenFieldFlags): Partial<NewToken> {
  const { quota, unlimited, expires, models, allowIps, allowIpsFile, group, storeResponses } = options
  if (unlimited && quota !== undefined) throw usageError(cli.t('token.passEitherQuotaOrUnlimited'))
  if (allowIps !== undefined && allowIpsFile !== undefined) throw usageError(cli.t('token.passEitherAllowIpsOrAllow'))
  if (models?.trim() === '') throw usageError(cli.t('token.modelsNeedsAtLeastOneModel'))
  const addresses = allowIpsFile === undefined ? allowIps?.split(',').join('\n') : addressesIn(cli, allowIpsFile)
  if (addresses?.trim() === '') throw usageError(cli.t('token.theListHasNoAddresses'))
  return {
    ...(quota !== undefined && { remain_quota: quota, unlimited_quota: false }),
    ...(unlimited && { unlimited_quota: true }),
    ...(expires !== undefined && { expired_time: expires }),
    ...(models !== undefined && { model_limits: models, model_limits_enabled: true }),
    ...defined({ allow_ips: addresses, group }),
    ...(storeResponses !== undefined && { store_responses: storeResponses === 'on' }),
  }
}

function addressesIn(cli: Cli, path: string): string {
  let text: string
  try {
    text = readFileSync(resolve(cli.folder, path), 'utf8')
  } catch (cause) {
    const message = fileErrorText(cause, cli.language)
    throw new CommandError('FILE_UNREADABLE', cli.t('token.cannotReadTheAllowIpsFile', { message }), { cause })
  }
  if (Buffer.byteLength(text) > FILE_BYTES_MAX) throw usageError(cli.t('token.isTooLongForAList', { path }))
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim())
  return lines.filter((line) => line !== '').join('\n')
}
