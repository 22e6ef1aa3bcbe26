import { isHeader, isOwnHeader } from './headers.ts'
import { DIALECTS, type DialectName } from './operations.ts'

/** How one of several keys is chosen: by chance, or each in its turn. */
export const MULTI_KEY_MODES = ['random', 'polling'] as const
export type MultiKeyMode = (typeof MULTI_KEY_MODES)[number]

/** How one channel's relays differ, as its `setting` column says. What a setting does: docs/channels.md. */
export interface ChannelSettings {
  /** As it was written: see `parseProxy`. For everything that goes to the upstream. */
  readonly proxy?: string
  /** Every reply is written anew in the dialect's own shape; what the vendor added is left out. */
  readonly forceFormat: boolean
  /** Reasoning becomes text between `<think>` and `</think>`. */
  readonly thinkingToContent: boolean
  /** The client's body goes on unchanged, where the upstream speaks the client's dialect. */
  readonly passThroughBody: boolean
  /** Laid over the body that goes to the upstream; `stream` is never in it. */
  readonly paramOverride?: Readonly<Record<string, unknown>>
  /** By names in lower case. Laid over the headers that go to the upstream; `{api_key}` and `{client_header:<name>}` in a value are filled in. */
  readonly headerOverride?: Readonly<Record<string, string>>
  readonly systemPrompt?: string
  /** Put in front of the client's own system prompt too; otherwise only given to who has none. */
  readonly systemPromptOverride: boolean
  /** The dialects that this upstream speaks, dearest first, instead of those of its type. */
  readonly dialects?: readonly DialectName[]
  /** Clients may name the tier of service that they want; otherwise it is taken out of what goes to the upstream. */
  readonly allowServiceTier: boolean
  /** Deployments are named with the model's dots. */
  readonly azureKeepDots: boolean
  /** Google may be asked to read files of Cloud Storage, `gs://`, with the channel's rights. */
  readonly allowGoogleFiles: boolean
  /** Betas of Anthropic's API that clients may ask for, beside those that the price data knows; `*` stands for all. */
  readonly anthropicBetas?: readonly string[]
  /** All users of this channel may use all objects of the upstream's account: stored responses, files, caches … */
  readonly sharedObjects: boolean
  /** Responses of this channel may be stored, here and at the upstream. */
  readonly storeResponses: boolean
  /** The channel's key is several, one in each line. */
  readonly multiKeyMode?: MultiKeyMode
}

/** The settings in a channel's column; what cannot be read is as if it were not there. */
export function parseSettings(column: string | null): ChannelSettings {
  const setting = objectIn(column)
  const text = (name: string) => (typeof setting[name] === 'string' && setting[name] !== '' ? setting[name] : undefined)
  const proxy = text('proxy')?.trim()
  const systemPrompt = text('system_prompt')
  const paramOverride = paramsIn(setting.param_override)
  const headerOverride = headersIn(setting.header_override)
  const dialects = dialectsIn(setting.dialects)
  const anthropicBetas = betasIn(setting.allow_anthropic_betas)
  const multiKeyMode = MULTI_KEY_MODES.find((mode) => mode === setting.multi_key_mode)
  return {
    forceFormat: setting.force_format === true,
    thinkingToContent: setting.thinking_to_content === true,
    passThroughBody: setting.pass_through_body_enabled === true,
    systemPromptOverride: setting.system_prompt_override === true,
    allowServiceTier: setting.allow_service_tier === true,
    azureKeepDots: setting.azure_keep_dots === true,
    allowGoogleFiles: setting.allow_google_files === true,
    sharedObjects: setting.shared_objects === true,
    storeResponses: setting.store_responses !== false,
    ...(multiKeyMode && { multiKeyMode }),
    ...(anthropicBetas.length > 0 && { anthropicBetas }),
    ...(dialects.length > 0 && { dialects }),
    ...(proxy && { proxy }),
    ...(systemPrompt && { systemPrompt }),
    ...(Object.keys(paramOverride).length > 0 && { paramOverride }),
    ...(Object.keys(headerOverride).length > 0 && { headerOverride }),
  }
}

/** Without `stream`: the client has asked for a stream or not. Nor with another program's operations, which no upstream knows. */
function paramsIn(value: unknown): Record<string, unknown> {
  const { stream: _, ...params } = objectIn(value)
  return Array.isArray(params.operations) ? {} : params
}

function headersIn(value: unknown): Record<string, string> {
  const kept = Object.entries(objectIn(value)).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && isHeader(entry[0], entry[1]) && !isOwnHeader(entry[0]),
  )
  return Object.fromEntries(kept.map(([name, text]) => [name.toLowerCase(), text]))
}

function dialectsIn(value: unknown): DialectName[] {
  const named: unknown[] = Array.isArray(value) ? value : []
  return [...new Set(named)].filter((name): name is DialectName => (DIALECTS as readonly unknown[]).includes(name))
}

function betasIn(value: unknown): string[] {
  const named: unknown[] = Array.isArray(value) ? value : []
  return named.filter(isBeta)
}

/** What can stand between the commas of a header. */
export function isBeta(value: unknown): value is string {
  return typeof value === 'string' && /^([\w.-]{1,100}|\*)$/.test(value)
}

/** An object, or the JSON text of one. */
function objectIn(value: unknown): Record<string, unknown> {
  if (isObject(value)) return value
  try {
    const parsed: unknown = JSON.parse(typeof value === 'string' && value ? value : '{}')
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
