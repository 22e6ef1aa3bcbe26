import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, onTestFinished } from 'vitest'
import type { NewUser } from '../../core/accounts/accounts.ts'
import type { Actor } from '../../core/actor.ts'
import type { Channel, NewChannel } from '../../core/channels/channel.ts'
import type { Charge } from '../../core/ledger/charge.ts'
import type { NewToken, Token } from '../../core/tokens/token.ts'
import { type LocalToolkit, openToolkit } from '../../core/toolkit.ts'
import { createPostgresDatabase, findPostgres } from './postgres.ts'

export type DatabaseKind = 'sqlite' | 'postgres'
export type Person = Actor & { username: string }
export const PASSWORD = 'correct horse'

export interface TestOptions {
  database?: DatabaseKind
  /** Unix seconds; the real time when absent. */
  now?: () => number
}

export interface TestToolkit {
  toolkit: LocalToolkit
  root: Person
  /** What the Toolkit was opened with. */
  config: { databaseUrl: string; secret: string | undefined; dataFolder: string }
  /** What went wrong in the background. */
  failures: unknown[]
  /** A user with a balance of 0 unless told otherwise. */
  user(user?: Partial<NewUser>): Promise<Person>
  /** A token without a budget of its own unless told otherwise. */
  token(owner: Actor, token?: Partial<NewToken>): Promise<Token>
  channel(channel?: Partial<NewChannel>): Promise<Channel>
  code(quota: number): Promise<string>
  balance(actor: Actor): Promise<number>
  /** A whole relay: holds and settles `quota`. Answers what was settled. */
  charge(actor: Person, charge: Partial<Charge> & { quota: number }): Promise<Charge>
  /** Another Toolkit over the same database, as another process has one. */
  another(options?: Pick<TestOptions, 'now'>): Promise<LocalToolkit>
  close(): Promise<void>
}

/** A Toolkit over a database of its own, which is gone when the test ends. */
export async function openTestToolkit({ database = 'sqlite', now }: TestOptions = {}): Promise<TestToolkit> {
  const dataFolder = await testFolder()
  const databaseUrl =
    database === 'sqlite' ? `sqlite:${join(dataFolder, 'tollgate.db')}` : await createPostgresDatabase()
  const config = { databaseUrl, secret: undefined, dataFolder }
  const failures: unknown[] = []
  const another: TestToolkit['another'] = async (options = now ? { now } : {}) => {
    const opened = await openToolkit(config, { ...options, onFailure: (error) => failures.push(error) })
    onTestFinished(closing(opened))
    return opened
  }
  const toolkit = await another()
  const created = await toolkit.accounts.createRoot(PASSWORD)
  if (!created) throw new Error('The database of this test is not new')
  const root: Person = { id: created.id, role: created.role, username: created.username }

  return {
    toolkit,
    root,
    config,
    failures,
    another,
    close: closing(toolkit),
    async user(input = {}) {
      const username = `u${randomUUID().slice(0, 8)}`
      const { id, role, ...rest } = await toolkit.accounts.create(root, {
        username,
        password: PASSWORD,
        quota: 0,
        ...input,
      })
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

/** A charge of that person, with a request id of its own. */
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

/** The same promises over both databases: SQLite's single writer forgives races that PostgreSQL does not. */
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

/** For the first line of a test of PostgreSQL alone, or a `beforeEach`. */
export async function skipWithoutPostgres({ skip }: { skip: (note?: string) => never }): Promise<void> {
  const answer = await findPostgres()
  if (!('reason' in answer)) return
  console.warn(`Skipped: ${answer.reason}`)
  skip(answer.reason)
}

/** An empty folder, gone when the test ends. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Closing twice is closing once: a test may close before its end. */
function closing(toolkit: LocalToolkit): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= toolkit.close()
    return done
  }
}
