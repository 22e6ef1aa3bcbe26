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
    .option('--base-url <url>', "address without /v1 (empty: the provider's own)")
    .option('--models <list>', 'models to serve, separated by commas')
    .option('--group <list>', 'groups of users to serve, separated by commas (new channels: default)')
    .option('--priority <n>', 'channels of a higher priority come first (new channels: 0)', priority)
    .option('--weight <n>', 'share among channels of one priority (new channels: 0)', weight)
    .option('--model-mapping <json|@file>', 'what models are called upstream: {"gpt-4o":"my-deployment"}')
    .option('--status-code-mapping <json>', 'HTTP statuses to answer instead: {"400":"500"}')
    .option('--other <text>', 'what the provider needs besides, such as the API version of Azure')
    .option('--tag <text>', 'label to find channels by, and to change them together')
    .option('--test-model <model>', 'model to test with (empty: the first)')
    .option('--organization <id>', 'OpenAI organization')
    .addOption(choice('--auto-ban <on|off>', 'may be disabled automatically (new channels: on)', SWITCH))
    .addOption(choice('--status <word>', 'whether it serves (new channels: enabled)', ['enabled', 'disabled']))
    .option('--setting <json|@file>', 'all settings at once, instead of those that there are')
    .option('--proxy <url|@file>', 'http, https or socks5 proxy for all that goes to the upstream')
    .option('--param-override <json|@file>', 'parameters laid over each request: {"temperature":0}')
    .option('--header-override <json|@file>', 'headers laid over each request: {"x-team":"blue"}')
    .option('--system-prompt <text|@file>', 'given to requests that have none')
    .addOption(choice('--system-prompt-override <on|off>', "put it before the client's own, too", SWITCH))
    .addOption(choice('--force-format <on|off>', 'rebuild each reply, without fields that the vendor added', SWITCH))
    .addOption(choice('--thinking-to-content <on|off>', 'reasoning becomes text in <think>', SWITCH))
    .addOption(choice('--pass-through-body <on|off>', "send the client's body unchanged", SWITCH))
    .addOption(choice('--allow-service-tier <on|off>', 'let clients name a tier of service', SWITCH))
    .addOption(choice('--azure-keep-dots <on|off>', "keep the dots of models' names in deployments", SWITCH))
    .addOption(choice('--allow-google-files <on|off>', 'let Google read gs:// files for clients', SWITCH))
    .option('--allow-anthropic-betas <list>', "betas of Anthropic's API that clients may ask for besides; * is all")
    .addOption(choice('--shared-objects <on|off>', 'all users may name all objects of the account', SWITCH))
    .addOption(choice('--store-responses <on|off>', 'responses may be stored (default: on)', SWITCH))
    .option('--dialects <list>', `formats that the upstream speaks, dearest first: ${DIALECTS.join(', ')}`)
    .addOption(choice('--multi-key <mode>', 'the key is several, used by chance or by turns', MULTI_KEY_MODES))
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
    throw usageError(cli.say`${flag} must be JSON: ${(cause as Error).message}`)
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
    throw usageError(cli.say`the settings are no JSON object: replace them with --setting`)
  }
  const merged = JSON.stringify({ ...stored, ...settings })
  return merged === '{}' ? '' : merged
}
