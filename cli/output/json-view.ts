import { ROLE, USER_STATUS } from '../../core/actor.ts'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import { errorMessage } from '../../core/error-parts.ts'
import { commaList } from '../../core/input.ts'
import { LOG_TYPE } from '../../core/logs/log.ts'
import { isRecord } from '../../core/records.ts'
import { REDEMPTION_STATUS } from '../../core/redemption/status.ts'
import { TOKEN_STATUS } from '../../core/tokens/token.ts'
import { usageError } from '../errors.ts'
import { labelOf } from '../input/enum-labels.ts'
import { nearest } from '../input/nearest.ts'
import type { Texts } from '../texts.ts'

/*
 * Adds fields to the API's JSON: names for numbers, ISO 8601 for unix times. Never renames fields.
 */

/** Time fields of the API, in seconds since 1970; milliseconds for drawings and music. */
const TIME_FIELDS = new Set([
  ...['created_at', 'created_time', 'accessed_time', 'expired_time', 'expires_at', 'last_used_at', 'revoked_at'],
  ...['test_time', 'balance_updated_time', 'redeemed_time', 'status_time', 'submit_time', 'start_time', 'finish_time'],
  ...['started_at', 'finished_at', 'settled_at', 'seen_at', 'applied_at', 'updated_at', 'create_time', 'complete_time'],
])
/** Larger times are in milliseconds. In seconds, this time is in the year 5138; in milliseconds, it is in 1973. */
const MILLISECONDS_FROM = 1e11

type Fields = Record<string, unknown>

/** Names for numbers. `named` contains the names by field. It applies to records with all fields of `has`. */
const NUMBER_NAMES: readonly {
  has: readonly string[]
  named: Readonly<Record<string, Readonly<Record<string, number>>>>
}[] = [
  { has: ['remain_quota', 'model_limits'], named: { status: TOKEN_STATUS } },
  { has: ['base_url', 'models', 'weight'], named: { status: CHANNEL_STATUS } },
  { has: ['redeemed_time', 'used_user_id'], named: { status: REDEMPTION_STATUS } },
  { has: ['username', 'role'], named: { role: ROLE, status: USER_STATUS } },
  { has: ['prompt_tokens', 'token_name'], named: { type: LOG_TYPE } },
]

/**
 * Adds names (`status_name`, `role_name`, `type_name` of log rows) and ISO times (`created_time_iso`, null for "never"
 * and "not yet").
 */
export function enriched(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(enriched)
  if (!isRecord(data)) return data
  const inner = Object.entries(data).map(([name, value]) => [name, enriched(value)])
  return { ...Object.fromEntries(inner), ...namesOf(data), ...timesOf(data) }
}

function namesOf(record: Fields): Fields {
  const { named = {} } = NUMBER_NAMES.find(({ has }) => has.every((field) => field in record)) ?? {}
  return Object.fromEntries(
    Object.entries(named).flatMap(([field, words]) => {
      const value = record[field]
      return typeof value === 'number' ? [[`${field}_name`, labelOf(words, value)]] : []
    }),
  )
}

function timesOf(record: Fields): Fields {
  const times = Object.entries(record).flatMap(([name, value]) =>
    TIME_FIELDS.has(name) && typeof value === 'number' ? [[`${name}_iso`, isoOf(value)] as const] : [],
  )
  return Object.fromEntries(times)
}

function isoOf(time: number): string | null {
  if (time <= 0) return null
  const date = new Date(time >= MILLISECONDS_FROM ? time : time * 1000)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z')
}

/** Applies `change` to each record of a page or a list, or to the document itself if it is one record. */
function changeRecords(data: unknown, change: (record: Fields) => unknown): unknown {
  if (Array.isArray(data)) return data.map((item) => (isRecord(item) ? change(item) : item))
  if (!isRecord(data)) return data
  return Array.isArray(data.items) ? { ...data, items: changeRecords(data.items, change) } : change(data)
}

function recordsOf(data: unknown): Fields[] {
  const records: Fields[] = []
  changeRecords(data, (record) => records.push(record))
  return records
}

/** Returns the data with only the given fields, in this order. Throws a usage error for a field that no record has. */
export function selectFields(texts: Texts, data: unknown, list: string): unknown {
  const names = commaList(list)
  if (names.length === 0) throw usageError(texts.t('program.fieldsNeedsAtLeastOneField'))
  const records = recordsOf(data)
  for (const name of names) requireField(texts, records, { flag: '--fields', name })
  return changeRecords(data, (record) => Object.fromEntries(names.map((name) => [name, record[name] ?? null])))
}

/**
 * Renders a template such as `{{id}} {{other_info.status_reason}}` for each record, each on its own line. `\t` in the
 * template is a tab, `\n` a line break. Throws like `selectFields`.
 */
export function renderTemplate(texts: Texts, data: unknown, template: string): string {
  const records = recordsOf(data)
  const line = template.replaceAll('\\t', '\t').replaceAll('\\n', '\n')
  for (const [, path = ''] of line.matchAll(PLACEHOLDERS)) {
    requireField(texts, records, { flag: '--template', name: path.split('.', 1)[0] ?? '' })
  }
  return records.map((record) => line.replace(PLACEHOLDERS, (_, path: string) => textAt(record, path))).join('\n')
}

const PLACEHOLDERS = /\{\{\s*([\w.]+)\s*\}\}/g

function textAt(record: Fields, path: string): string {
  const value = path.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), record)
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function requireField({ t }: Texts, records: readonly Fields[], { flag, name }: { flag: string; name: string }): void {
  if (records.length === 0 || records.some((record) => name in record)) return
  const fields = [...new Set(records.flatMap((record) => Object.keys(record)))].sort()
  const suggestion = nearest(name, fields)
  throw usageError(
    suggestion
      ? t('program.unknownFieldDidYouMean', { flag, name, suggestion })
      : t('program.unknownFieldChooseFrom', { flag, name, known: fields.join(', ') }),
  )
}

/** Runs a jq program. Returns strings raw, other results as JSON lines. Throws a usage error with jq's message. */
export async function runJq({ t }: Texts, data: unknown, program: string): Promise<string> {
  const { raw } = await import('jq-wasm')
  try {
    return await raw(JSON.stringify(data), program, ['-r', '-c'])
  } catch (cause) {
    const reason = errorMessage(cause).replace(/^jq: /, '')
    throw usageError(t('program.jq', { reason }))
  }
}
