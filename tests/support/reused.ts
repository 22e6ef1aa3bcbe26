import { recordChange } from '../../core/changes/changes.ts'
import { openTestGateway, openTestRelay, type TestGateway } from './gateway.ts'
import { shared } from './lifetime.ts'

type Rows = Record<string, unknown>[]

/** Tables with the gateway's own state or the schema version. */
const KEPT = ['migrations', 'nodes', 'leases', 'jobs', 'changes', 'sqlite_sequence']

type Options = NonNullable<Parameters<typeof openTestGateway>[0]>

/**
 * Like `openTestGateway`, for a file or a `describe`: tests without options that close nothing share one gateway, whose
 * database is reset before each test, because opening a gateway takes longer than most API tests. Not for tests that change
 * tables, or that are about state only in memory.
 */
export function reused(special: () => Options = () => ({})): (options?: Options) => Promise<TestGateway> {
  const opened = shared(async () => {
    const fixture = await openTestGateway(special())
    return { fixture, first: await rowsOf(fixture) }
  })
  return async (options = {}) => {
    if (!isPlain(options)) {
      const { settings, ...others } = special()
      return openTestGateway({ ...others, ...options, settings: { ...settings, ...options.settings } })
    }
    const { fixture, first } = opened()
    await restore(fixture, first)
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

async function rowsOf({ toolkit: { db } }: TestGateway): Promise<Map<string, Rows>> {
  const tables: string[] = await db.reader('sqlite_master').where({ type: 'table' }).pluck('name')
  const read = tables
    .filter((table) => !KEPT.includes(table))
    .map(async (table) => [table, await db.reader(table).select()] as const)
  return new Map(await Promise.all(read))
}

async function restore(
  { toolkit: { db, events, ledger } }: TestGateway,
  first: ReadonlyMap<string, Rows>,
): Promise<void> {
  // Give back the ledger's reserves, because their rows are deleted.
  await ledger.reconsider('user')
  await ledger.reconsider('token')
  await db.transaction(async (trx) => {
    const known = { user: await trx('users').pluck('id'), channel: await trx('channels').pluck('id') }
    const guards: { name: string; sql: string }[] = await trx('sqlite_master').where({ type: 'trigger' }).select()
    // The audit trigger rejects deletes.
    for (const { name } of guards) await trx.raw('DROP TRIGGER ??', [name])
    for (const table of first.keys()) await trx(table).delete()
    await trx('sqlite_sequence')
      .whereIn('name', [...first.keys()])
      .delete()
    for (const [table, rows] of first) if (rows.length > 0) await trx(table).insert(rows)
    for (const { sql } of guards) await trx.raw(sql)
    await recordChange(trx, 'user', known.user)
    await recordChange(trx, 'channel', known.channel)
    await recordChange(trx, 'token', ['any'])
    await recordChange(trx, 'option', ['any'])
    await recordChange(trx, 'limit', ['any'])
  })
  await events.catchUp()
}
