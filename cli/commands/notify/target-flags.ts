import { commaList } from '../../../core/input.ts'
import { NOTICE_LANGUAGES, type NoticeEvent } from '../../../core/notices/notice.ts'
import type { NoticeSettings } from '../../../core/notices/schema.ts'
import { isRecord } from '../../../core/records.ts'
import type { Cli } from '../../cli.ts'
import type { Command } from '../../command.ts'
import { usageError } from '../../errors.ts'

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
    .option('--events <list>', 'notify.eventsToSend')
    .option('--url <url>', 'notify.webhookFeishuSlackUrl')
    .option('--secret <text>', 'notify.webhookSecretThatSignsRequests')
    .option('--address <mail>', 'notify.mailEmailAddressForTargets')
    .option('--bot-token <token>', 'notify.telegramBotToken')
    .option('--chat <id>', 'notify.telegramChatIdOrName')
    .option('--device-key <key>', 'notify.barkDeviceKey')
    .option('--base-url <url>', 'notify.telegramBarkUrlOfAnother')
    .option('--settings-stdin', 'notify.readSettingsAsJsonFromStdin')
    .choice('--language <language>', 'notify.languageOfTheNotices', [...NOTICE_LANGUAGES])
}

/** Returns the settings from stdin and flags. Flags override stdin. */
export async function noticeSettingsOf(cli: Cli, flags: TargetFlags): Promise<NoticeSettings> {
  const { url, secret, address, botToken, chat, deviceKey, baseUrl, settingsStdin } = flags
  const named = { url, secret, address, bot_token: botToken, chat_id: chat, device_key: deviceKey, base_url: baseUrl }
  const flagSettings = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
  return { ...(settingsStdin ? parseSettings(cli, await cli.readInput()) : {}), ...flagSettings }
}

/** Returns the event names of --events without checking them, because the gateway checks them. */
export function eventsOfFlags({ events }: TargetFlags): NoticeEvent[] | undefined {
  return events === undefined ? undefined : (commaList(events) as NoticeEvent[])
}

function parseSettings(cli: Cli, text: string): NoticeSettings {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && Object.values(value).every((each) => typeof each === 'string')) return value
  } catch {
    // Falls through to the error for JSON that is not an object.
  }
  throw usageError(cli.t('notify.stdinMustContainAJsonObject'))
}
