import type { ReadSource } from '../run.ts'
import type { Source } from '../sources/source.ts'
import type { LitellmConfig } from './config.ts'
import { type LitellmRows, readLitellmDatabase } from './database.ts'

const NOTHING: LitellmRows = { users: [], tokens: [], limits: [], unknownTables: [], warnings: [] }

/** Returns a source without tables, for a config.yaml without a database. */
export function configSource(name: string): Source {
  return {
    kind: 'sqlite',
    name,
    columns: async () => [],
    tables: async () => [],
    quote: (identifier) => `"${identifier}"`,
    query: async () => [],
    snapshot: (work) => work(),
    close: async () => {},
  }
}

/** Converts LiteLLM's data to the rows of an import. Channels come from config.yaml, other rows from the database. */
export async function readLitellm(
  source: Source,
  config: LitellmConfig,
  { quotaPerUnit, balance, hasDatabase }: { quotaPerUnit: number; balance: number; hasDatabase: boolean },
): Promise<ReadSource> {
  const databaseRows = hasDatabase ? await readLitellmDatabase(source, { quotaPerUnit, balance }) : NOTHING
  const none = { rows: 0, quota: 0 }
  return {
    shape: { tables: new Set(), unknownColumns: [], unknownTables: databaseRows.unknownTables },
    contents: {
      rows: {
        users: databaseRows.users,
        tokens: databaseRows.tokens,
        channels: config.channels,
        redemptions: [],
        top_ups: [],
        midjourneys: [],
        tasks: [],
      },
      options: new Map(),
      limits: databaseRows.limits,
      logs: { ...none, minId: 0, maxId: -1 },
      counts: { ...none, maxId: 0 },
      lastCharges: [],
    },
    warnings: [...config.warnings, ...databaseRows.warnings],
  }
}
