import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe } from 'vitest'
import type { NewUser } from '../../core/accounts/accounts.ts'
import type { User } from '../../core/accounts/user.ts'
import type { Actor } from '../../core/actor.ts'
import type { Channel, NewChannel } from '../../core/channels/channel.ts'
import { groupExists } from '../../core/groups/groups.ts'
import type { Charge } from '../../core/ledger/charge.ts'
import type { NewToken, Token } from '../../core/tokens/token.ts'
import { type LocalToolkit, openToolkit } from '../../core/toolkit.ts'
import { whenDone } from './lifetime.ts'
import { createLastingDatabase, createPostgresDatabase, findPostgres } from './postgres.ts'
import { copyPostgresDatabase } from './postgres-copies.ts'

export type DatabaseKind = 'sqlite' | 'postgres'
export type Person = Actor & { username: string }
export const PASSWORD = 'correct horse'
/** The minimum of argon2id: most tests need no strong hash. */
const hashCost = { memoryCost: 8, timeCost: 1 }

export interface TestOptions {
  database?: DatabaseKind
  /** Unix seconds; default: the real time. */
  now?: () => number
  /** An existing empty database to use. */
  emptyUrl?: string
}

export interface TestToolkit {
  toolkit: LocalToolkit
  root: Person
  /** The options that the Toolkit was opened with. */
  config: { databaseUrl: string; secret: string | undefined; dataFolder: string }
  /** Errors of background work. */
  failures: unknown[]
  /** Creates a user; default balance: 0. */
  user(user?: Partial<NewUser>): Promise<Person>
  /** Creates a token; default: without a budget. */
  token(owner: Actor, token?: Partial<NewToken>): Promise<Token>
  channel(channel?: Partial<NewChannel>): Promise<Channel>
  code(quota: number): Promise<string>
  balance(actor: Actor): Promise<number>
  /** Charges like a complete relay: holds and settles `quota`. Returns the charge. */
  charge(actor: Person, charge: Partial<Charge> & { quota: number }): Promise<Charge>
  /** Opens another Toolkit over the same database, like another process; with `databaseUrl` through a proxy. */
  another(options?: Pick<TestOptions, 'now'>, config?: { databaseUrl: string }): Promise<LocalToolkit>
  close(): Promise<void>
}

/** A database after its first start, with its key. It is prepared once per worker instead of once per test. */
interface Prepared {
  /** Contains the key, and on SQLite the database. */
  dataFolder: string
  databaseUrl: string
}
/** By the kind of the database and the time at which the test's clock starts. */
const prepared = new Map<string, Promise<Prepared>>()
/** Keys of databases that were created once. If such a database is needed again, it is prepared. */
const created = new Set<string>()

async function prepare(database: DatabaseKind, startTime: number | undefined): Promise<Prepared> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tollgate-prepared-'))
  process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }))
  const databaseUrl = database === 'sqlite' ? sqliteIn(dataFolder) : await createLastingDatabase()
  const clock = startTime === undefined ? {} : { now: () => startTime }
  const toolkit = await openToolkit({ databaseUrl, secret: undefined, dataFolder }, { hashCost, ...clock })
  await createFirstUser(toolkit)
  await toolkit.close()
  return { dataFolder, databaseUrl }
}

/** New databases retry on two more channels, but most tests check only the first attempt. */
async function createFirstUser({ db, accounts }: LocalToolkit): Promise<User | undefined> {
  const retries = { key: 'RetryTimes', value: '0' }
  await db.transaction((trx) => trx('options').insert(retries).onConflict('key').ignore())
  const created = await accounts.createRoot(PASSWORD)
  await db.transaction((trx) => trx('options').where(retries).delete())
  return created
}

const sqliteIn = (folder: string): string => `sqlite:${join(folder, 'tollgate.db')}`

/** Returns the URL of a new database for a test: a copy of a prepared one, with its key, or an empty one. */
async function createDatabase({ database, now, dataFolder }: CreateOptions): Promise<string> {
  // With a test clock, the database must be created by that clock.
  const startTime = now?.()
  const key = `${database} ${startTime}`
  if (now && !created.has(key)) {
    created.add(key)
    return database === 'sqlite' ? sqliteIn(dataFolder) : createPostgresDatabase()
  }
  const preparing = prepared.get(key) ?? prepare(database, startTime)
  prepared.set(key, preparing)
  const { databaseUrl, ...original } = await preparing
  await cp(original.dataFolder, dataFolder, { recursive: true })
  return database === 'sqlite' ? sqliteIn(dataFolder) : copyPostgresDatabase(databaseUrl)
}

interface CreateOptions extends Required<Pick<TestOptions, 'database'>> {
  now: TestOptions['now'] | undefined
  dataFolder: string
}

/** The database of tests that name none: `TEST_DATABASE=postgres` runs any of them on PostgreSQL. */
export const USUAL_DATABASE: DatabaseKind = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'

/** Opens a Toolkit over a new database, which is removed when the test ends. */
export async function openTestToolkit({
  database = USUAL_DATABASE,
  now,
  emptyUrl,
}: TestOptions = {}): Promise<TestToolkit> {
  const dataFolder = await testFolder()
  const databaseUrl = emptyUrl ?? (await createDatabase({ database, now, dataFolder }))
  const config = { databaseUrl, secret: undefined, dataFolder }
  const failures: unknown[] = []
  const another: TestToolkit['another'] = async (options = now ? { now } : {}, changed) => {
    const opened = await openToolkit(
      { ...config, ...changed },
      { hashCost, ...options, onFailure: (error) => failures.push(error) },
    )
    whenDone(closing(opened))
    return opened
  }
  const toolkit = await another()
  const first = (await toolkit.accounts.findRoot()) ?? (await createFirstUser(toolkit))
  if (!first) throw new Error('The database of this test has no root')
  const root: Person = { id: first.id, role: first.role, username: first.username }

  return {
    toolkit,
    root,
    config,
    failures,
    another,
    close: closing(toolkit),
    async user(input = {}) {
      const username = `u${randomUUID().slice(0, 8)}`
      const { group, ...others } = input
      const isGone = group !== undefined && group !== '' && !groupExists(toolkit.options, group)
      const { id, role, ...rest } = await toolkit.accounts.create(root, {
        username,
        password: PASSWORD,
        quota: 0,
        ...(isGone ? others : input),
      })
      // A group that no longer exists, which calls would reject.
      if (isGone) await toolkit.db.transaction((trx) => trx('users').where({ id }).update({ group }))
      return { id, role, username: rest.username }
    },
    token: (owner, input = {}) =>
      toolkit.tokens.create(owner, { name: randomUUID().slice(0, 8), unlimited_quota: true, ...input }),
    channel: (input = {}) =>
      toolkit.channels.create(root, {
        name: randomUUID().slice(0, 8),
        type: 1,
        key: 'sk-upstream',
        models: 'gpt-4o',
        ...input,
      }),
    async code(quota) {
      const [key = ''] = await toolkit.redemption.create(root, { name: 'gift', quota, count: 1 })
      return key
    },
    balance: async (actor) => (await toolkit.accounts.get(root, actor.id)).quota,
    async charge(actor, fields) {
      const settled = bill(actor, fields)
      const hold = await toolkit.ledger.hold({ userId: actor.id, budgetTokenId: 0, quota: fields.quota })
      await toolkit.ledger.settle(hold, settled)
      return settled
    },
  }
}

/** Returns a charge of a user with a new request id. */
export function bill(actor: Person, fields: Partial<Charge> & { quota: number }): Charge {
  return {
    requestId: randomUUID(),
    userId: actor.id,
    username: actor.username,
    tokenId: 0,
    tokenName: '',
    channelId: 0,
    modelName: 'gpt-4o',
    group: 'default',
    promptTokens: 0,
    completionTokens: 0,
    useTimeSeconds: 1,
    isStream: false,
    content: '',
    other: '',
    ...fields,
  }
}

/** Disables a user without ending its sessions, like a tool that writes to the database. */
export async function banWithSessions(
  { toolkit }: Pick<TestToolkit, 'toolkit'>,
  id: number,
  status = 2,
): Promise<void> {
  await toolkit.db.transaction((trx) => trx('users').where({ id }).update({ status }))
}

/** Runs a suite on both databases: SQLite's single writer hides races that PostgreSQL reveals. */
export function onBoth(
  name: string,
  suite: (open: (options?: Omit<TestOptions, 'database'>) => Promise<TestToolkit>, database: DatabaseKind) => void,
): void {
  for (const database of ['sqlite', 'postgres'] as const) {
    describe(`${name}, on ${database}`, () => {
      if (database === 'postgres') beforeEach(skipWithoutPostgres)
      suite((options) => openTestToolkit({ ...options, database }), database)
    })
  }
}

/** For the first line of a PostgreSQL-only test, or a `beforeEach`. */
export async function skipWithoutPostgres({ skip }: { skip: (note?: string) => never }): Promise<void> {
  const answer = await findPostgres()
  if (!('reason' in answer)) return
  console.warn(`Skipped: ${answer.reason}`)
  skip(answer.reason)
}

/** Returns an empty folder, removed when the test ends. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  whenDone(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Closes only once, because a test may close before its end. */
function closing(toolkit: LocalToolkit): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= toolkit.close()
    return done
  }
}
