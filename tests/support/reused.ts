import { openTestGateway, openTestRelay, type TestGateway } from './gateway.ts'
import { shared } from './lifetime.ts'
import { USUAL_DATABASE } from './toolkit.ts'

/** Tables with the gateway's own state or the schema version. */
const KEPT = ['migrations', 'nodes', 'leases', 'jobs', 'changes', 'sqlite_sequence']

type Options = NonNullable<Parameters<typeof openTestGateway>[0]>

/**
 * Like `openTestGateway`, for a file or a `describe`: tests without options that close nothing share one gateway, whose
 * database is reset before each test, because opening a gateway takes longer than most API tests. Not for tests that change
 * tables, or that are about state only in memory.
 */
export function reused(special: () => Options = () => ({})): (options?: Options) => Promise<TestGateway> {
  const openNew = (options: Options = {}) => {
    const { settings, ...others } = special()
    return openTestGateway({ ...others, ...options, settings: { ...settings, ...options.settings } })
  }
  // Restoring rows needs SQLite.
  if (USUAL_DATABASE !== 'sqlite') return openNew
  const opened = shared(async () => {
    const fixture = await openTestGateway(special())
    return { fixture, restoring: await readRestoring(fixture) }
  })
  return async (options = {}) => {
    if (!isPlain(options)) return openNew(options)
    const { fixture, restoring } = opened()
    await restore(fixture, restoring)
    fixture.failures.length = 0
    return fixture
  }
}

/** Like `openTestRelay`, over a reused gateway. */
export function reusedRelay(): typeof openTestRelay {
  const gateway = reused()
  return (answer, options = {}) => openTestRelay(answer, { ...options, gateway })
}

const isPlain = ({ database = 'sqlite', settings = {}, ...others }: Options): boolean =>
  database === 'sqlite' && Object.keys({ ...settings, ...others }).length === 0

/** Returns the statements that restore the current rows: one script takes half as long as a query for each table. */
async function readRestoring({ toolkit: { db } }: TestGateway): Promise<string> {
  const schema: { type: string; name: string; sql: string }[] = await db.reader('sqlite_master').select()
  const tables = schema.filter(({ type, name }) => type === 'table' && !KEPT.includes(name)).map(({ name }) => name)
  const guards = schema.filter(({ type }) => type === 'trigger')
  const filled = tables.map(async (table) => {
    const rows: object[] = await db.reader(table).select()
    return rows.length > 0 ? [db.reader(table).insert(rows).toQuery()] : []
  })
  return [
    ...['user', 'channel'].map(
      (entity) =>
        `INSERT INTO changes (entity, entity_id, created_at) SELECT '${entity}', id, unixepoch() FROM ${entity}s`,
    ),
    ...['token', 'option', 'limit'].map(
      (entity) => `INSERT INTO changes (entity, entity_id, created_at) VALUES ('${entity}', 'any', unixepoch())`,
    ),
    // The audit trigger rejects deletes.
    ...guards.map(({ name }) => `DROP TRIGGER "${name}"`),
    ...tables.map((table) => `DELETE FROM "${table}"`),
    `DELETE FROM sqlite_sequence WHERE name IN (${tables.map((table) => `'${table}'`).join(', ')})`,
    ...(await Promise.all(filled)).flat(),
    ...guards.map(({ sql }) => sql),
  ].join(';\n')
}

async function restore({ toolkit: { db, events, ledger } }: TestGateway, restoring: string): Promise<void> {
  // Give back the ledger's reserves, because their rows are deleted.
  await ledger.giveBackReserves('user')
  await ledger.giveBackReserves('token')
  if (!db.script) throw new Error('only SQLite databases are reused')
  await db.script(restoring)
  await events.catchUp()
}
