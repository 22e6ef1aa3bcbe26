import { GatewayError } from '../errors.ts'
import { CHANNEL_SOURCE_COLUMNS } from './mappers/channels.ts'
import { LOG_SOURCE_COLUMNS } from './mappers/logs.ts'
import { REDEMPTION_SOURCE_COLUMNS, TOP_UP_SOURCE_COLUMNS } from './mappers/money-rows.ts'
import { TOKEN_SOURCE_COLUMNS } from './mappers/tokens.ts'
import { USER_SOURCE_COLUMNS } from './mappers/users.ts'
import { DRAWING_SOURCE_COLUMNS, TASK_SOURCE_COLUMNS } from './mappers/work.ts'
import { type Product, titleOf } from './report.ts'
import type { Source } from './sources/source.ts'

/** Columns of each table that an import reads or deliberately ignores. */
const KNOWN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  users: USER_SOURCE_COLUMNS,
  tokens: TOKEN_SOURCE_COLUMNS,
  channels: CHANNEL_SOURCE_COLUMNS,
  redemptions: REDEMPTION_SOURCE_COLUMNS,
  top_ups: TOP_UP_SOURCE_COLUMNS,
  options: ['key', 'value'],
  logs: LOG_SOURCE_COLUMNS,
  midjourneys: DRAWING_SOURCE_COLUMNS,
  tasks: TASK_SOURCE_COLUMNS,
  quota_data: ['id', 'user_id', 'username', 'model_name', 'created_at', 'token_used', 'count', 'quota'],
}
/** Tables that an import reads, that it rebuilds, or that contain no user data. */
const KNOWN_TABLES = new Set([...Object.keys(KNOWN_COLUMNS), 'abilities', 'setups', 'sqlite_sequence'])
const NEEDED = ['users', 'tokens', 'channels']
/** Columns that only one product has. For a fork with columns of both, the product that the operator named counts. */
const MARKS = {
  'new-api': { tokens: ['model_limits_enabled'], channels: ['setting', 'tag', 'status_code_mapping'] },
  'one-api': { tokens: ['subnet'], channels: ['config', 'system_prompt'] },
} as const
const TOLLGATE_COLUMN = 'key_hash'

export interface SourceShape {
  /** The importable tables that the source has. */
  tables: ReadonlySet<string>
  unknownColumns: { table: string; columns: string[] }[]
  unknownTables: string[]
}

/** Detects the shape of a source. Throws IMPORT_SOURCE_WRONG or IMPORT_SOURCE_UNKNOWN for another product. */
export async function inspectSource(source: Source, product: Product): Promise<SourceShape> {
  const names = new Set((await source.tables()).map((name) => name.toLowerCase()))
  const wrongSource = (actual: string, command?: string) =>
    new GatewayError('IMPORT_SOURCE_WRONG', { source: source.name, product: titleOf(product), actual, command })
  const missing = NEEDED.filter((table) => !names.has(table))
  if (missing.length > 0) {
    const tables = missing.join(', ')
    throw new GatewayError('IMPORT_SOURCE_UNKNOWN', { source: source.name, product: titleOf(product), tables })
  }
  const columns = new Map<string, string[]>()
  for (const table of Object.keys(KNOWN_COLUMNS)) {
    if (names.has(table)) columns.set(table, await source.columns(table))
  }
  if (columns.get('tokens')?.includes(TOLLGATE_COLUMN)) throw wrongSource('Tollgate')
  const has = (name: keyof typeof MARKS) =>
    Object.entries(MARKS[name]).some(([table, marks]) =>
      marks.some((mark: string) => columns.get(table)?.includes(mark)),
    )
  const other = product === 'new-api' ? 'one-api' : 'new-api'
  if (product !== 'litellm' && has(other) && !has(product)) {
    throw wrongSource(other, `tollgate import ${other} ${source.name}`)
  }
  return {
    tables: new Set(columns.keys()),
    unknownColumns: [...columns].flatMap(([table, present]) => {
      const unknown = present.filter((column) => !KNOWN_COLUMNS[table]?.includes(column))
      return unknown.length > 0 ? [{ table, columns: unknown }] : []
    }),
    unknownTables: [...names].filter((name) => !KNOWN_TABLES.has(name)).sort(),
  }
}
