import { DIALECTS, type DialectName } from '../routing/operations.ts'
import { isConnectionHeader, isHeader } from './headers.ts'

/** How one of several keys is chosen: randomly, or in turn. */
export const MULTI_KEY_MODES = ['random', 'polling'] as const
export type MultiKeyMode = (typeof MULTI_KEY_MODES)[number]

/** The settings of one channel, from its `setting` column. For their effects, see docs/channels.md. */
export interface ChannelSettings {
  /** Unparsed: see `parseProxy`. For all requests to the upstream. */
  readonly proxy?: string
  /** Every reply is rebuilt in the dialect's own format, without fields that the vendor added. */
  readonly forceFormat: boolean
  /** Reasoning becomes text between `<think>` and `</think>`. */
  readonly thinkingToContent: boolean
  /** The client's body is forwarded unchanged if the upstream uses the client's dialect. */
  readonly passThroughBody: boolean
  /** Merged into the body sent to the upstream, except `stream`. */
  readonly paramOverride?: Readonly<Record<string, unknown>>
  /**
   * By lowercase name. Merged into the headers sent to the upstream; `{api_key}` and `{client_header:<name>}` in a value are
   * filled in.
   */
  readonly headerOverride?: Readonly<Record<string, string>>
  readonly systemPrompt?: string
  /** Prepends it to the client's system prompt; otherwise it is only added if there is none. */
  readonly systemPromptOverride: boolean
  /** The dialects of this upstream, most preferred first, instead of those of its type. */
  readonly dialects?: readonly DialectName[]
  /** Clients may set the service tier; otherwise it is removed from the request. */
  readonly allowServiceTier: boolean
  /** Deployment names keep the model's dots. */
  readonly azureKeepDots: boolean
  /** Google may read Cloud Storage files, `gs://`, with the channel's permissions. */
  readonly allowGoogleFiles: boolean
  /** Betas of Anthropic's API that clients may request, besides those in the price data; `*` means all. */
  readonly anthropicBetas?: readonly string[]
  /** All users of this channel may use all objects of the upstream's account: stored responses, files, caches … */
  readonly sharedObjects: boolean
  /** Responses of this channel may be stored, here and at the upstream. */
  readonly storeResponses: boolean
  /** `key` contains several keys, one per line. */
  readonly multiKeyMode?: MultiKeyMode
}

/** Parses a channel's settings; ignores invalid ones. */
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

/** Removes `stream`, which the client decides, and another program's operations, which upstreams do not support. */
function paramsIn(value: unknown): Record<string, unknown> {
  const { stream: _, ...params } = objectIn(value)
  return Array.isArray(params.operations) ? {} : params
}

function headersIn(value: unknown): Record<string, string> {
  const kept = Object.entries(objectIn(value)).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && isHeader(entry[0], entry[1]) && !isConnectionHeader(entry[0]),
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

/** Whether a value can be an item of a comma-separated header. */
export function isBeta(value: unknown): value is string {
  return typeof value === 'string' && /^([\w.-]{1,100}|\*)$/.test(value)
}

/** Accepts an object, or its JSON text. */
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
