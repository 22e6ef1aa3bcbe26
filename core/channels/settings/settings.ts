import { parseObject } from '../../input.ts'
import { defined, isRecord } from '../../records.ts'
import { DIALECT_NAMES, type DialectName } from '../routing/operations.ts'
import { isConnectionHeader, isHeader } from './headers.ts'

/** Ways to choose one of several keys: `random` draws a key, `polling` takes the keys in turn. */
export const MULTI_KEY_MODES = ['random', 'polling'] as const
export type MultiKeyMode = (typeof MULTI_KEY_MODES)[number]

/** The settings of one channel, from its `setting` column. For their effects, see docs/channels.md. */
export interface ChannelSettings {
  /** URL of the proxy for all requests to the upstream, not yet parsed by `parseProxy`. */
  readonly proxy?: string
  /** Every reply is rebuilt in the client's dialect, without fields that the vendor added. */
  readonly forceFormat: boolean
  /** Reasoning becomes text between `<think>` and `</think>`. */
  readonly thinkingToContent: boolean
  /** If the upstream uses the client's dialect, the client's body is forwarded unchanged. */
  readonly passThroughBody: boolean
  /** Parameters that are merged into the body sent to the upstream. `stream` is excluded. */
  readonly paramOverride?: Readonly<Record<string, unknown>>
  /** Headers by lowercase name, merged into those sent to the upstream. For placeholders, see `fillHeader`. */
  readonly headerOverride?: Readonly<Record<string, string>>
  readonly systemPrompt?: string
  /** Prepends `systemPrompt` to the client's system prompt. If false, `systemPrompt` only replaces a missing one. */
  readonly systemPromptOverride: boolean
  /** The dialects of this upstream, most preferred first, instead of those of its type. */
  readonly dialects?: readonly DialectName[]
  /** Clients may set the service tier; otherwise it is removed from the request. */
  readonly allowServiceTier: boolean
  /** Azure deployment names keep the dots of the model name. */
  readonly azureKeepDots: boolean
  /** Google may read Cloud Storage files, `gs://`, with the channel's permissions. */
  readonly allowGoogleFiles: boolean
  /** Betas of Anthropic's API that clients may request, in addition to those with known prices; `*` means all. */
  readonly anthropicBetas?: readonly string[]
  /** All users of this channel may use all objects of the upstream's account, such as responses, files and caches. */
  readonly sharedObjects: boolean
  /** Responses of this channel may be stored, here and at the upstream. */
  readonly storeResponses: boolean
  /** `key` contains several keys, one per line. */
  readonly multiKeyMode?: MultiKeyMode
}

/** Parses a channel's settings. Ignores invalid settings. */
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
    ...defined({ multiKeyMode, systemPrompt, proxy: proxy || undefined }),
    ...(anthropicBetas.length > 0 && { anthropicBetas }),
    ...(dialects.length > 0 && { dialects }),
    ...(Object.keys(paramOverride).length > 0 && { paramOverride }),
    ...(Object.keys(headerOverride).length > 0 && { headerOverride }),
  }
}

/**
 * Returns the parameters without `stream`, which the client decides. Returns no parameters if they contain
 * `operations`: another program defines this field, and upstreams do not support it.
 */
function paramsIn(value: unknown): Record<string, unknown> {
  const { stream: _, ...params } = objectIn(value)
  return Array.isArray(params.operations) ? {} : params
}

function headersIn(value: unknown): Record<string, string> {
  const validHeaders = Object.entries(objectIn(value)).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && isHeader(entry[0], entry[1]) && !isConnectionHeader(entry[0]),
  )
  return Object.fromEntries(validHeaders.map(([name, text]) => [name.toLowerCase(), text]))
}

function dialectsIn(value: unknown): DialectName[] {
  const names: unknown[] = Array.isArray(value) ? value : []
  return [...new Set(names)].flatMap((name) => DIALECT_NAMES.find((dialect) => dialect === name) ?? [])
}

function betasIn(value: unknown): string[] {
  const names: unknown[] = Array.isArray(value) ? value : []
  return names.filter(isBeta)
}

/** Returns whether a value is a valid item of a comma-separated header. */
export function isBeta(value: unknown): value is string {
  return typeof value === 'string' && /^([\w.-]{1,100}|\*)$/.test(value)
}

/** Returns an object, or the object in a JSON text. Returns an empty object for other values. */
function objectIn(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  return (typeof value === 'string' && parseObject(value)) || {}
}
