import { Option } from 'commander'
import { CHANNEL_STATUS, type ChannelFields } from '../../../core/channels/channel.ts'
import { DIALECT_NAMES } from '../../../core/channels/routing/operations.ts'
import { MULTI_KEY_MODES } from '../../../core/channels/settings/settings.ts'
import { errorMessage } from '../../../core/error-parts.ts'
import { parseObject } from '../../../core/input.ts'
import type { Cli } from '../../cli.ts'
import type { Command } from '../../command.ts'
import { usageError } from '../../errors.ts'
import { channelPriority, channelWeight } from '../../input/arguments.ts'
import { textOrFile } from '../../input/input-file.ts'

/*
 * Flags for the fields of a channel, used by all commands that write channels. An empty text clears a field.
 */
export interface FieldFlags {
  baseUrl?: string
  models?: string
  group?: string
  priority?: number
  weight?: number
  modelMapping?: string
  statusCodeMapping?: string
  other?: string
  tag?: string
  testModel?: string
  organization?: string
  autoBan?: Switch
  status?: 'enabled' | 'disabled'
  setting?: string
  proxy?: string
  paramOverride?: string
  headerOverride?: string
  systemPrompt?: string
  systemPromptOverride?: Switch
  forceFormat?: Switch
  thinkingToContent?: Switch
  passThroughBody?: Switch
  allowServiceTier?: Switch
  azureKeepDots?: Switch
  allowGoogleFiles?: Switch
  allowAnthropicBetas?: string
  sharedObjects?: Switch
  storeResponses?: Switch
  dialects?: string
  multiKey?: string
}
type Switch = 'on' | 'off'
const SWITCH = ['on', 'off']
/** Value of --multi-key for a channel with one key. */
export const ONE_KEY = 'off'
const ON = { id: 'channel.newChannelsOn' } as const
const OFF = { id: 'channel.newChannelsOff' } as const

/** The columns that flags give, and the settings to merge into the `setting` column. */
export interface GivenFields {
  fields: ChannelFields & { status?: number }
  settings: Readonly<Record<string, unknown>>
}

export function withFieldFlags(command: Command): Command {
  return command
    .option('--base-url <url>', 'channel.baseUrlWithoutV1Empty')
    .option('--models <list>', 'channel.modelsToServe')
    .option('--group <list>', 'channel.userGroupsToServe')
    .option('--priority <n>', 'channel.higherPriorityIsUsedFirstNew', channelPriority)
    .option('--weight <n>', 'channel.weightAmongChannelsOfEqualPriority', channelWeight)
    .option('--model-mapping <json|@file>', 'channel.mapModelNamesToUpstreamNames')
    .option('--status-code-mapping <json>', 'channel.mapHttpStatusesOfTheUpstream')
    .option('--other <text>', 'channel.providerSpecificValue')
    .option('--tag <text>', 'channel.labelForFindingAndUpdatingChannels')
    .option('--test-model <model>', 'channel.modelForTestsEmpty')
    .option('--organization <id>', 'channel.openAIOrganization')
    .choice('--auto-ban <on|off>', 'channel.allowAutomaticDisabling', SWITCH, ON)
    .choice('--status <word>', 'channel.status', ['enabled', 'disabled'], { id: 'channel.newChannelsEnabled' })
    .option('--setting <json|@file>', 'channel.replaceAllSettingsWithThisJson')
    .option('--proxy <url|@file>', 'channel.httpHttpsOrSocks5Proxy')
    .option('--param-override <json|@file>', 'channel.parametersToSetInEachRequest')
    .option('--header-override <json|@file>', 'channel.headersToSetInEachRequest')
    .option('--system-prompt <text|@file>', 'channel.systemPromptForRequestsWithoutOne')
    .choice('--system-prompt-override <on|off>', 'channel.alsoPrependItToTheClient', SWITCH, OFF)
    .choice('--force-format <on|off>', 'channel.rebuildRepliesWithoutVendorSpecificFields', SWITCH, OFF)
    .choice('--thinking-to-content <on|off>', 'channel.convertReasoningToTextInThink', SWITCH, OFF)
    .choice('--pass-through-body <on|off>', 'channel.sendTheClientBodyUnchanged', SWITCH, OFF)
    .choice('--allow-service-tier <on|off>', 'channel.allowClientsToChooseAService', SWITCH, OFF)
    .choice('--azure-keep-dots <on|off>', 'channel.keepTheDotsOfModelNames', SWITCH, OFF)
    .choice('--allow-google-files <on|off>', 'channel.allowGoogleToReadGsFiles', SWITCH, OFF)
    .option('--allow-anthropic-betas <list>', 'channel.moreAnthropicBetaFeaturesThatClients')
    .choice('--shared-objects <on|off>', 'channel.letAllUsersAccessAllObjects', SWITCH, OFF)
    .choice('--store-responses <on|off>', 'channel.allowStoringResponses', SWITCH, ON)
    .addOption(
      new Option(
        '--dialects <list>',
        command.t('channel.formatsThatTheUpstreamAccepts', { dialects: DIALECT_NAMES.join(', ') }),
      ),
    )
    .choice('--multi-key <mode>', 'channel.theChannelHasSeveralKeys', [...MULTI_KEY_MODES, ONE_KEY])
}

/** Columns by flag. */
const COLUMNS = {
  baseUrl: 'base_url',
  models: 'models',
  group: 'group',
  priority: 'priority',
  weight: 'weight',
  statusCodeMapping: 'status_code_mapping',
  other: 'other',
  tag: 'tag',
  testModel: 'test_model',
  organization: 'openai_organization',
} as const
/** Settings that are off if they are absent. */
const SWITCHES = {
  systemPromptOverride: 'system_prompt_override',
  forceFormat: 'force_format',
  thinkingToContent: 'thinking_to_content',
  passThroughBody: 'pass_through_body_enabled',
  allowServiceTier: 'allow_service_tier',
  azureKeepDots: 'azure_keep_dots',
  allowGoogleFiles: 'allow_google_files',
  sharedObjects: 'shared_objects',
} as const

/** Reads the fields from the flags. Throws a usage error for invalid JSON, and FILE_UNREADABLE. */
export async function givenFields(cli: Cli, flags: FieldFlags): Promise<GivenFields> {
  const fields: Record<string, string | number> = {}
  for (const [flag, column] of Object.entries(COLUMNS)) {
    const value = flags[flag as keyof typeof COLUMNS]
    if (value !== undefined) fields[column] = value
  }
  if (flags.autoBan) fields.auto_ban = flags.autoBan === 'on' ? 1 : 0
  if (flags.status) fields.status = CHANNEL_STATUS[flags.status]
  if (flags.modelMapping !== undefined) fields.model_mapping = await textOrFile(cli, flags.modelMapping)
  if (flags.setting !== undefined) fields.setting = await textOrFile(cli, flags.setting)
  return { fields, settings: await givenSettings(cli, flags) }
}

async function givenSettings(cli: Cli, flags: FieldFlags): Promise<Record<string, unknown>> {
  const settings: Record<string, unknown> = {}
  for (const [flag, name] of Object.entries(SWITCHES)) {
    const value = flags[flag as keyof typeof SWITCHES]
    if (value) settings[name] = value === 'on' || undefined
  }
  // An absent setting is on.
  if (flags.storeResponses) settings.store_responses = flags.storeResponses === 'off' ? false : undefined
  const { proxy, systemPrompt, paramOverride, headerOverride, allowAnthropicBetas, dialects, multiKey } = flags
  if (proxy !== undefined) settings.proxy = (await textOrFile(cli, proxy)) || undefined
  if (systemPrompt !== undefined) settings.system_prompt = (await textOrFile(cli, systemPrompt)) || undefined
  if (paramOverride !== undefined) settings.param_override = await jsonOf(cli, '--param-override', paramOverride)
  if (headerOverride !== undefined) settings.header_override = await jsonOf(cli, '--header-override', headerOverride)
  if (allowAnthropicBetas !== undefined) settings.allow_anthropic_betas = listOf(allowAnthropicBetas)
  if (dialects !== undefined) settings.dialects = listOf(dialects)
  if (multiKey) settings.multi_key_mode = multiKey === ONE_KEY ? undefined : multiKey
  return settings
}

function listOf(given: string): string[] | undefined {
  return given ? given.split(',').map((name) => name.trim()) : undefined
}

async function jsonOf(cli: Cli, flag: string, given: string): Promise<unknown> {
  const text = await textOrFile(cli, given)
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw usageError(cli.t('channel.mustBeValidJson', { flag, message: errorMessage(cause) }))
  }
}

/**
 * Merges settings into the `setting` column. A setting that is undefined is removed. Throws a usage error for an
 * invalid column.
 */
export function settingWith(cli: Cli, column: string, settings: Readonly<Record<string, unknown>>): string {
  if (Object.keys(settings).length === 0) return column
  const stored = parseObject(column || '{}')
  if (!stored) throw usageError(cli.t('channel.theCurrentSettings'))
  const merged = JSON.stringify({ ...stored, ...settings })
  return merged === '{}' ? '' : merged
}
