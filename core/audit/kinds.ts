import { keyDigest } from '../channels/keys/key-ring.ts'
import { splitKeys } from '../channels/keys/keys.ts'
import { parseObject } from '../input.ts'
import { findOption } from '../options/registry.ts'
import type { Secrets } from '../secrets.ts'

/** Fields of a row as the audit shows them, without secrets. */
export type AuditedFields = Record<string, unknown>
type Row = Record<string, unknown>

interface Kind {
  readonly table: string
  readonly idColumn: string
  readonly columns: readonly string[]
  show(row: Row, secrets: Secrets): AuditedFields
}

/** Maximum characters of a text. A longer text is cut and gets a fingerprint of the whole text, which shows changes. */
const TEXT_LENGTH_MAX = 2000

/** Returns a text that identifies a secret without revealing it. Returns '' for an empty secret. */
const fingerprint = (secrets: Secrets, text: string): string =>
  text === '' ? '' : `fingerprint:${keyDigest(secrets, text)}`

/** The audited tables, with the columns to read and the conversion of a row to audited fields. */
export const AUDITED_TABLES = {
  user: {
    table: 'users',
    idColumn: 'id',
    columns: [
      ...['username', 'display_name', 'role', 'status', 'email', 'group', 'quota', 'debt_limit', 'deleted_at'],
      'password',
    ],
    show: ({ password, ...row }, secrets) => ({ ...row, password: fingerprint(secrets, textIn(password)) }),
  },
  channel: {
    table: 'channels',
    idColumn: 'id',
    columns: [
      ...['name', 'type', 'status', 'base_url', 'other', 'open_ai_organization', 'models', 'group', 'model_mapping'],
      ...['status_code_mapping', 'priority', 'weight', 'tag', 'test_model', 'auto_ban', 'setting', 'key'],
    ],
    show: ({ key, setting, ...row }, secrets) => ({
      ...row,
      ...settingFields(textIn(setting), secrets),
      key: splitKeys(decryptedOrStored(secrets, key)).map((each) => fingerprint(secrets, each)),
    }),
  },
  token: {
    table: 'tokens',
    idColumn: 'id',
    columns: [
      ...['user_id', 'name', 'status', 'remain_quota', 'unlimited_quota', 'expired_time', 'model_limits_enabled'],
      ...['model_limits', 'allow_ips', 'group', 'store_responses', 'deleted_at', 'key'],
    ],
    show: ({ key, ...row }, secrets) => ({ ...row, key: fingerprint(secrets, decryptedOrStored(secrets, key)) }),
  },
  redemption: {
    table: 'redemptions',
    idColumn: 'id',
    columns: ['user_id', 'name', 'status', 'quota', 'deleted_at', 'key'],
    show: ({ key, ...row }, secrets) => ({ ...row, key: fingerprint(secrets, textIn(key)) }),
  },
  option: {
    table: 'options',
    idColumn: 'key',
    columns: ['value'],
    show: ({ key, value }, secrets) => {
      const isSecret = findOption(textIn(key))?.secret
      return { value: isSecret ? fingerprint(secrets, decryptedOrStored(secrets, value)) : value }
    },
  },
} as const satisfies Record<string, Kind>
export type AuditedKind = keyof typeof AUDITED_TABLES

export function auditedFieldsOf(kind: AuditedKind, row: Row, secrets: Secrets): AuditedFields {
  const { show }: Kind = AUDITED_TABLES[kind]
  return Object.fromEntries(Object.entries(show(row, secrets)).map(([name, value]) => [name, shorten(value, secrets)]))
}

/**
 * Returns the fields that differ, before and after. For a new or deleted row, returns all fields that are not empty.
 * Returns undefined if nothing differs.
 */
export function difference(
  before: AuditedFields | undefined,
  after: AuditedFields | undefined,
): { before: AuditedFields | null; after: AuditedFields | null } | undefined {
  if (!before || !after) {
    if (!before && !after) return undefined
    return { before: before ? withoutEmpty(before) : null, after: after ? withoutEmpty(after) : null }
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  if (changed.length === 0) return undefined
  const pick = (fields: AuditedFields) => Object.fromEntries(changed.map((name) => [name, fields[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}

function withoutEmpty(fields: AuditedFields): AuditedFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''))
}

function shorten(value: unknown, secrets: Secrets): unknown {
  if (typeof value !== 'string' || value.length <= TEXT_LENGTH_MAX) return value
  return `${value.slice(0, TEXT_LENGTH_MAX)}… (${value.length} characters, ${fingerprint(secrets, value)})`
}

/** Returns the decrypted secret, or the stored text if decryption fails, so that the secret can still be replaced. */
function decryptedOrStored(secrets: Secrets, value: unknown): string {
  try {
    return secrets.open(textIn(value))
  } catch {
    return textIn(value)
  }
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Channel settings that cannot contain a secret. */
const OPEN_SETTINGS = new Set([
  'force_format',
  'thinking_to_content',
  'pass_through_body_enabled',
  'system_prompt',
  'system_prompt_override',
  'dialects',
  'allow_service_tier',
  'azure_keep_dots',
  'allow_google_files',
  'allow_anthropic_betas',
  'shared_objects',
  'store_responses',
  'multi_key_mode',
])

/**
 * Returns each setting as a field. Texts that can contain secrets become fingerprints, such as a proxy's credentials,
 * headers, parameters, and settings that only other programs know.
 */
function settingFields(column: string, secrets: Secrets): AuditedFields {
  const setting = parseObject(column)
  if (!setting) return { setting: fingerprint(secrets, column) }
  return Object.fromEntries(
    Object.entries(setting).map(([name, value]) => [
      `setting.${name}`,
      name === 'proxy'
        ? proxyText(value, secrets)
        : OPEN_SETTINGS.has(name)
          ? value
          : withoutTexts(jsonIn(value), secrets),
    ]),
  )
}

/** Returns a proxy's address, with a fingerprint of its credentials. */
function proxyText(value: unknown, secrets: Secrets): unknown {
  if (typeof value !== 'string' || !URL.canParse(value.trim())) return withoutTexts(value, secrets)
  const { protocol, host, username, password } = new URL(value.trim())
  const user = username || password ? `${fingerprint(secrets, `${username}:${password}`)}@` : ''
  return `${protocol}//${user}${host}`
}

/** Returns the object in a JSON text, or the value itself. Overrides can be stored as objects or as JSON texts. */
function jsonIn(value: unknown): unknown {
  return (typeof value === 'string' && parseObject(value)) || value
}

/** Returns the value with its texts replaced by fingerprints. */
function withoutTexts(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return fingerprint(secrets, value)
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutTexts(each, secrets)]))
}
