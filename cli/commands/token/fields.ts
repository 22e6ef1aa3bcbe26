import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { NewToken } from '../../../core/tokens/token.ts'
import { futureTime, quotaArgument } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { CommandError, usageError } from '../../errors.ts'

/** What the flags of a command say about a token. */
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

/** More than anybody lists, and no mistaken disk image. */
const FILE_BYTES_MAX = 65_536

export function withTokenFields(
  command: Command,
  { otherwise }: { otherwise: Record<'quota' | 'rest', string> },
): Command {
  return command
    .option('--quota <n>', `how much it may spend, in quota (default: ${otherwise.quota})`, quotaArgument)
    .option('--unlimited', 'let it spend all that its owner has')
    .option(
      '--expires <when>',
      `a duration such as 30d, 12h or 1y, a date such as 2030-01-31, or never (default: ${otherwise.rest})`,
      futureTime,
    )
    .option('--models <list>', 'the only models it may use, separated by commas; known or not')
    .option('--allow-ips <list>', 'the only addresses or ranges it may be used from, separated by commas')
    .option('--allow-ips-file <file>', 'the same from a file, one a line; # starts a comment')
    .option('--group <name>', "group it is charged and routed by: the owner's, or one that the owner may use")
    .addOption(
      new Option('--store-responses <on|off>', 'store responses for clients that go on from them').choices([
        'on',
        'off',
      ]),
    )
}

/** The fields that were given. Throws a usage error for flags that do not go together, FILE_UNREADABLE. */
export function tokenFields(cli: Cli, options: TokenFields): Partial<NewToken> {
  const { quota, unlimited, expires, models, allowIps, allowIpsFile, group, storeResponses } = options
  if (unlimited && quota !== undefined) throw usageError(cli.say`give either --quota or --unlimited, not both`)
  if (allowIps !== undefined && allowIpsFile !== undefined) {
    throw usageError(cli.say`give either --allow-ips or --allow-ips-file, not both`)
  }
  if (models?.trim() === '') throw usageError(cli.say`--models must name a model`)
  const addresses = allowIpsFile === undefined ? allowIps?.split(',').join('\n') : addressesIn(cli, allowIpsFile)
  if (addresses?.trim() === '') throw usageError(cli.say`there is no address in the list: nobody could use the key`)
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
  if (text.length > FILE_BYTES_MAX) throw usageError(cli.say`${path} is too long for a list of addresses`)
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim())
  return lines.filter((line) => line !== '').join('\n')
}
