import { parseObject } from '../../input.ts'
import { LOG_TYPE } from '../../logs/log.ts'
import type { SourceRow } from '../sources/source.ts'
import { storable, toInteger } from '../values.ts'
import type { MapContext } from './mapper.ts'

const TYPES: ReadonlySet<number> = new Set(Object.values(LOG_TYPE))
const ONE_API_TEST = 5
const MS_PER_S = 1000

export const LOG_SOURCE_COLUMNS = [
  ...['id', 'user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name', 'quota'],
  ...['prompt_tokens', 'completion_tokens', 'channel_id', 'channel', 'use_time', 'is_stream', 'token_id', 'group'],
  ...['other', 'elapsed_time', 'request_id', 'system_prompt_reset'],
  // The source program never writes this column.
  'channel_name',
]

/** Columns of `logs` in the order of `mapLog`. */
export const MAPPED_LOG_COLUMNS = [
  ...['id', 'user_id', 'created_at', 'type', 'content', 'username', 'token_name', 'model_name', 'quota'],
  ...['prompt_tokens', 'completion_tokens', 'use_time', 'is_stream', 'channel_id', 'token_id', 'group', 'other'],
] as const

/**
 * Maps a log row to values in the order of MAPPED_LOG_COLUMNS. The column `request_id` stays empty, because it marks
 * charges of this gateway. Imported charges are already in the imported balance. `other` keeps the source's request id.
 */
export function mapLog(row: SourceRow, id: number, { product, target, usernameOf }: MapContext): (string | number)[] {
  const type = toInteger(row.type)
  const isTest = product === 'one-api' && type === ONE_API_TEST
  const sourceUser = toInteger(row.user_id)
  const elapsedMs = toInteger(row.elapsed_time)
  return [
    id,
    target('users', sourceUser) ?? 0,
    toInteger(row.created_at),
    isTest ? LOG_TYPE.consumption : TYPES.has(type) ? type : 0,
    text(row.content),
    usernameOf(sourceUser) ?? cut(text(row.username), 64),
    cut(text(row.token_name), 255),
    cut(text(row.model_name), 255),
    toInteger(row.quota),
    integer32(row.prompt_tokens),
    integer32(row.completion_tokens),
    row.use_time === undefined ? Math.round(elapsedMs / MS_PER_S) : integer32(row.use_time),
    row.is_stream === true || row.is_stream === 1 || row.is_stream === '1' ? 1 : 0,
    target('channels', toInteger(row.channel_id ?? row.channel)) ?? 0,
    target('tokens', toInteger(row.token_id)) ?? 0,
    cut(text(row.group), 64),
    otherOf(row, { elapsedMs, isTest }),
  ]
}

/** Returns `other` with the values for which this gateway has no column. */
function otherOf(row: SourceRow, { elapsedMs, isTest }: { elapsedMs: number; isTest: boolean }): string {
  const sourceOther = text(row.other)
  const requestId = text(row.request_id)
  if (requestId === '' && elapsedMs === 0 && !isTest) return sourceOther
  const otherFields = parseObject(sourceOther)
  return JSON.stringify({
    ...(otherFields ?? (sourceOther !== '' && { imported_other: sourceOther })),
    ...(requestId !== '' && { imported_request_id: `one-api:${requestId}` }),
    ...(elapsedMs > 0 && { elapsed_ms: elapsedMs }),
    ...(isTest && { channel_test: true }),
  })
}

const INT_MAX = 2 ** 31 - 1

const integer32 = (value: unknown): number => Math.min(Math.max(toInteger(value), -INT_MAX), INT_MAX)

function text(value: unknown): string {
  if (value === null || value === undefined) return ''
  return storable(Buffer.isBuffer(value) ? value.toString('utf8') : String(value))
}

const cut = (whole: string, max: number): string => (whole.length <= max ? whole : [...whole].slice(0, max).join(''))
