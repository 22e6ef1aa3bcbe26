import { DIALECTS, type DialectName } from './operations.ts'

/** How one channel's relays differ, as its `setting` column says. What a setting does: docs/channels.md. */
export interface ChannelSettings {
  /** `http://`, `https://` or `socks5://`, for everything that goes to the upstream. */
  readonly proxy?: string
  /** Every reply is written anew in the dialect's own shape; what the vendor added is left out. */
  readonly forceFormat: boolean
  /** Reasoning becomes text between `<think>` and `</think>`. */
  readonly thinkingToContent: boolean
  /** The client's body goes on unchanged, where the upstream speaks the client's dialect. */
  readonly passThroughBody: boolean
  /** Laid over the body that goes to the upstream. */
  readonly paramOverride?: Readonly<Record<string, unknown>>
  /** Laid over the headers that go to the upstream; `{api_key}` and `{client_header:<name>}` in a value are filled in. */
  readonly headerOverride?: Readonly<Record<string, string>>
  readonly systemPrompt?: string
  /** Put in front of the client's own system prompt too; otherwise only given to who has none. */
  readonly systemPromptOverride: boolean
  /** The dialects that this upstream speaks, instead of those of its type. */
  readonly dialects?: readonly DialectName[]
  /** Deployments are named with the model's dots. */
  readonly azureKeepDots: boolean
}

/** The settings in a channel's column; what cannot be read is as if it were not there. */
export function parseSettings(column: string | null): ChannelSettings {
  const setting = objectIn(column)
  const text = (name: string) => (typeof setting[name] === 'string' && setting[name] !== '' ? setting[name] : undefined)
  const object = (name: string) => (isObject(setting[name]) ? setting[name] : undefined)
  const proxy = text('proxy')
  const systemPrompt = text('system_prompt')
  const paramOverride = object('param_override')
  const headerOverride = object('header_override') as Record<string, string> | undefined
  const dialects = Array.isArray(setting.dialects)
    ? DIALECTS.filter((name) => (setting.dialects as unknown[]).includes(name))
    : []
  return {
    forceFormat: setting.force_format === true,
    thinkingToContent: setting.thinking_to_content === true,
    passThroughBody: setting.pass_through_body_enabled === true,
    systemPromptOverride: setting.system_prompt_override === true,
    azureKeepDots: setting.azure_keep_dots === true,
    ...(dialects.length > 0 && { dialects }),
    ...(proxy && { proxy }),
    ...(systemPrompt && { systemPrompt }),
    ...(paramOverride && { paramOverride }),
    ...(headerOverride && { headerOverride }),
  }
}

function objectIn(column: string | null): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(column || '{}')
    return isObject(parsed) ? parsed : {}
  } catch {
    return {}
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
