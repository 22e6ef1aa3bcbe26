import { type Command, Option } from 'commander'
import { commaList } from '../../../core/input.ts'
import { NOTICE_LANGUAGES, type NoticeEvent } from '../../../core/notices/notice.ts'
import type { NoticeSettings } from '../../../core/notices/schema.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { isRecord } from '../../remote/guards.ts'

export interface TargetFlags {
  url?: string
  secret?: string
  address?: string
  botToken?: string
  chat?: string
  deviceKey?: string
  baseUrl?: string
  settingsStdin?: true
  language?: 'en' | 'zh'
  events?: string
}

export function withTargetFlags(command: Command): Command {
  return command
    .option('--events <list>', 'events to send, separated by commas')
    .option('--url <url>', 'webhook, feishu, slack: URL to post to')
    .option('--secret <text>', 'webhook: secret that signs requests; feishu: secret of a bot that checks signatures')
    .option('--address <mail>', 'mail: email address, for targets of the gateway')
    .option('--bot-token <token>', 'telegram: bot token')
    .option('--chat <id>', 'telegram: chat ID, or @name of a channel')
    .option('--device-key <key>', 'bark: device key')
    .option('--base-url <url>', 'telegram, bark: URL of another server than the official one')
    .option('--settings-stdin', 'read settings as JSON from stdin, such as {"url":"…","secret":"…"}')
    .addOption(new Option('--language <language>', 'language of the notices').choices([...NOTICE_LANGUAGES]))
}

/** Settings from stdin, overridden by flags. */
export async function settingsOf(cli: Cli, flags: TargetFlags): Promise<NoticeSettings> {
  const { url, secret, address, botToken, chat, deviceKey, baseUrl, settingsStdin } = flags
  const named = { url, secret, address, bot_token: botToken, chat_id: chat, device_key: deviceKey, base_url: baseUrl }
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  return { ...(settingsStdin ? parsed(cli, await cli.readInput()) : {}), ...given }
}

/** Event names; the gateway validates them. */
export function eventsOf({ events }: TargetFlags): NoticeEvent[] | undefined {
  return events === undefined ? undefined : (commaList(events) as NoticeEvent[])
}

function parsed(cli: Cli, text: string): NoticeSettings {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && Object.values(value).every((each) => typeof each === 'string')) return value
  } catch {
    // Falls through to the error for JSON that is not an object.
  }
  throw usageError(cli.say`stdin must contain a JSON object with text values`)
}
