import { type Command, Option } from 'commander'
import type { ChannelFields } from '../../../core/channels/channel.ts'
import { DIALECTS } from '../../../core/channels/routing/operations.ts'
import { MULTI_KEY_MODES } from '../../../core/channels/settings/settings.ts'
import type { Cli } from '../../cli.ts'
import { usageError } from '../../errors.ts'
import { wholeNumber } from '../../input/arguments.ts'
import { textOrFile } from '../../input/input-file.ts'

/*
 * Channel fields as flags, shared by all commands that write them. An empty text clears a field.
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

/** Columns, and settings to merge into the `setting` column. */
export interface GivenFields {
  fields: ChannelFields & { status?: number }
  settings: Readonly<Record<string, unknown>>
}

const priority = wholeNumber({ min: -999, max: 2 ** 31 - 1 })
const weight = wholeNumber({ min: 0, max: 2 ** 31 - 1 })
const choice = (flags: string, description: string, words: readonly string[]) =>
  new Option(flags, description).choices(words)

export function withFieldFlags(command: Command): Command {
  return command
    .option('--base-url <url>', "base URL without /v1 (empty: the provider's)")
    .option('--models <list>', 'models to serve, separated by commas')
    .option('--group <list>', 'user groups to serve, separated by commas (new channels: default)')
    .option('--priority <n>', 'higher priority is used first (new channels: 0)', priority)
    .option('--weight <n>', 'weight among channels of equal priority (new channels: 0)', weight)
    .option('--model-mapping <json|@file>', 'map model names to upstream names: {"gpt-4o":"my-deployment"}')
    .option('--status-code-mapping <json>', 'map HTTP statuses of the upstream: {"400":"500"}')
    .option('--other <text>', 'provider-specific value, such as the Azure API version')
    .option('--tag <text>', 'label for finding and updating channels together')
    .option('--test-model <model>', 'model for tests (empty: the first)')
    .option('--organization <id>', 'OpenAI organization')
    .addOption(choice('--auto-ban <on|off>', 'allow automatic disabling (new channels: on)', SWITCH))
    .addOption(choice('--status <word>', 'status (new channels: enabled)', ['enabled', 'disabled']))
    .option('--setting <json|@file>', 'replace all settings with this JSON object')
    .option('--proxy <url|@file>', 'http, https or socks5 proxy for requests to the upstream')
    .option('--param-override <json|@file>', 'parameters to set in each request: {"temperature":0}')
    .option('--header-override <json|@file>', 'headers to set in each request: {"x-team":"blue"}')
    .option('--system-prompt <text|@file>', 'system prompt for requests without one')
    .addOption(choice('--system-prompt-override <on|off>', "also prepend it to the client's system prompt", SWITCH))
    .addOption(choice('--force-format <on|off>', 'rebuild replies without vendor-specific fields', SWITCH))
    .addOption(choice('--thinking-to-content <on|off>', 'convert reasoning to text in <think>', SWITCH))
    .addOption(choice('--pass-through-body <on|off>', "send the client's body unchanged", SWITCH))
    .addOption(choice('--allow-service-tier <on|off>', 'allow clients to choose a service tier', SWITCH))
    .addOption(choice('--azure-keep-dots <on|off>', 'keep the dots of model names in deployment names', SWITCH))
    .addOption(choice('--allow-google-files <on|off>', 'allow Google to read gs:// files for clients', SWITCH))
    .option('--allow-anthropic-betas <list>', 'more Anthropic beta features that clients can use; * for all')
    .addOption(choice('--shared-objects <on|off>', 'let all users access all objects of the account', SWITCH))
    .addOption(choice('--store-responses <on|off>', 'allow storing responses (default: on)', SWITCH))
    .option('--dialects <list>', `formats that the upstream accepts, preferred first: ${DIALECTS.join(', ')}`)
    .addOption(
      choice('--multi-key <mode>', 'the channel has several keys: use them at random or in turn', MULTI_KEY_MODES),
    )
}

const TEXTS = {
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
const SWITCHES = {
  systemPromptOverride: 'system_prompt_override',
  forceFormat: 'force_format',
  thinkingToContent: 'thinking_to_content',
  passThroughBody: 'pass_through_body_enabled',
  allowServiceTier: 'allow_service_tier',
  azureKeepDots: 'azure_keep_dots',
  allowGoogleFiles: 'allow_google_files',
  sharedObjects: 'shared_objects',
  storeResponses: 'store_responses',
} as const

/** Throws a usage error for invalid JSON, FILE_UNREADABLE. */
export async function givenFields(cli: Cli, flags: FieldFlags): Promise<GivenFields> {
  const fields: Record<string, string | number> = {}
  for (const [flag, field] of Object.entries(TEXTS)) {
    const value = flags[flag as keyof typeof TEXTS]
    if (value !== undefined) fields[field] = value
  }
  if (flags.autoBan) fields.auto_ban = flags.autoBan === 'on' ? 1 : 0
  if (flags.status) {
    const { CHANNEL_STATUS } = await import('../../../core/channels/channel.ts')
    fields.status = CHANNEL_STATUS[flags.status]
  }
  if (flags.modelMapping !== undefined) fields.model_mapping = await textOrFile(cli, flags.modelMapping)
  if (flags.setting !== undefined) fields.setting = await textOrFile(cli, flags.setting)
  return { fields, settings: await givenSettings(cli, flags) }
}

async function givenSettings(cli: Cli, flags: FieldFlags): Promise<Record<string, unknown>> {
  const given: Record<string, unknown> = {}
  for (const [flag, name] of Object.entries(SWITCHES)) {
    const value = flags[flag as keyof typeof SWITCHES]
    if (value) given[name] = value === 'on' || undefined
  }
  const { proxy, systemPrompt, paramOverride, headerOverride, allowAnthropicBetas, dialects, multiKey } = flags
  if (proxy !== undefined) given.proxy = (await textOrFile(cli, proxy)) || undefined
  if (systemPrompt !== undefined) given.system_prompt = (await textOrFile(cli, systemPrompt)) || undefined
  if (paramOverride !== undefined) given.param_override = await jsonOf(cli, '--param-override', paramOverride)
  if (headerOverride !== undefined) given.header_override = await jsonOf(cli, '--header-override', headerOverride)
  if (allowAnthropicBetas !== undefined) given.allow_anthropic_betas = listOf(allowAnthropicBetas)
  if (dialects !== undefined) given.dialects = listOf(dialects)
  if (multiKey) given.multi_key_mode = multiKey
  return given
}

function listOf(given: string): string[] | undefined {
  return given ? given.split(',').map((name) => name.trim()) : undefined
}

async function jsonOf(cli: Cli, flag: string, given: string): Promise<unknown> {
  const text = await textOrFile(cli, given)
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw usageError(cli.say`${flag} must be valid JSON: ${(cause as Error).message}`)
  }
}

/** Merges settings into the `setting` column; undefined removes one. Throws a usage error if the column is not a JSON object. */
export function settingWith(cli: Cli, column: string, settings: Readonly<Record<string, unknown>>): string {
  if (Object.keys(settings).length === 0) return column
  let stored: unknown
  try {
    stored = JSON.parse(column || '{}')
  } catch {
    stored = undefined
  }
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    throw usageError(cli.say`the current settings are not a JSON object: replace them with --setting`)
  }
  const merged = JSON.stringify({ ...stored, ...settings })
  return merged === '{}' ? '' : merged
}
