import { GatewayError } from '../../errors.ts'
import { oneOf, requireText } from '../../input.ts'
import { isRecord } from '../../records.ts'
import { DIALECT_NAMES } from '../routing/operations.ts'
import { findSecretHeader, isConnectionHeader, isHeader } from './headers.ts'
import { parseProxy } from './proxy.ts'
import { isBeta, MULTI_KEY_MODES } from './settings.ts'

export const TEXT_LENGTH_MAX = 64 * 1024

type Check = (field: string, value: unknown) => void

/** The checks of settings by name. Unknown settings are kept, because other programs may use them. */
const CHECKS: Readonly<Record<string, Check>> = {
  proxy: checkProxy,
  force_format: requireBoolean,
  thinking_to_content: requireBoolean,
  pass_through_body_enabled: requireBoolean,
  param_override: checkParams,
  header_override: checkHeaders,
  system_prompt: (field, value) => void requireText(field, value, { min: 0, max: TEXT_LENGTH_MAX }),
  system_prompt_override: requireBoolean,
  dialects: checkDialects,
  allow_service_tier: requireBoolean,
  azure_keep_dots: requireBoolean,
  allow_google_files: requireBoolean,
  allow_anthropic_betas: checkBetas,
  shared_objects: requireBoolean,
  store_responses: requireBoolean,
  multi_key_mode: (field, value) => void oneOf(field, value, MULTI_KEY_MODES),
}

/** Throws FIELD_* with the name of an invalid setting. `null` counts as absent. */
export function checkChannelSettings(setting: Readonly<Record<string, unknown>>): void {
  for (const [name, check] of Object.entries(CHECKS)) {
    const value = setting[name]
    if (value !== undefined && value !== null) check(`setting.${name}`, value)
  }
}

function requireBoolean(field: string, value: unknown): void {
  if (typeof value !== 'boolean') throw new GatewayError('FIELD_BOOLEAN', { field })
}

/** Checks a proxy. The error omits the value, which may contain a password. */
function checkProxy(field: string, value: unknown): void {
  const text = requireText(field, value, { min: 0, max: 2048 })
  if (text !== '' && !parseProxy(text)) throw new GatewayError('FIELD_PROXY', { field })
}

function checkParams(field: string, value: unknown): void {
  const object = requireObject(field, value)
  if ('stream' in object) throw new GatewayError('FIELD_WITHOUT', { field, word: 'stream' })
  // Reject `operations`, by which another gateway program edits the body. Upstreams do not support this field.
  if (Array.isArray(object.operations)) throw new GatewayError('FIELD_WITHOUT', { field, word: 'operations' })
}

function checkHeaders(field: string, value: unknown): void {
  for (const [name, text] of Object.entries(requireObject(field, value))) {
    if (typeof text !== 'string') throw new GatewayError('FIELD_JSON_TEXTS', { field, example: '{"x-team":"blue"}' })
    if (isConnectionHeader(name)) throw new GatewayError('FIELD_WITHOUT', { field, word: name })
    if (!isHeader(name, text)) throw new GatewayError('FIELD_HEADER', { field, name: JSON.stringify(name) })
    const secret = findSecretHeader(text)
    if (secret) throw new GatewayError('FIELD_WITHOUT', { field, word: `{client_header:${secret}}` })
  }
}

function checkDialects(field: string, value: unknown): void {
  if (!Array.isArray(value)) throw new GatewayError('FIELD_LIST', { field })
  for (const dialect of value) oneOf(field, dialect, DIALECT_NAMES)
}

function checkBetas(field: string, value: unknown): void {
  if (!Array.isArray(value)) throw new GatewayError('FIELD_LIST', { field })
  const bad = value.find((beta) => !isBeta(beta))
  if (bad !== undefined) throw new GatewayError('FIELD_BETA', { field, value: String(bad).slice(0, 60) })
}

function requireObject(field: string, value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value
  throw new GatewayError('FIELD_OBJECT', { field })
}
