import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { whenDone } from './lifetime.ts'
import type { PostgresAnswer } from './postgres-server.ts'

/** Returns the URL of the run's PostgreSQL, or why there is none; with CI=true throws instead. */
export async function findPostgres(): Promise<PostgresAnswer> {
  const answer = (await (await fetch(inject('postgresDoor'))).json()) as PostgresAnswer
  if ('reason' in answer && process.env.CI === 'true') throw new Error(answer.reason)
  return answer
}

/** Creates an empty database, dropped when the test ends. Returns its URL. */
export async function createPostgresDatabase(): Promise<string> {
  const url = await createLastingDatabase()
  whenDone(() => dropDatabase(url))
  return url
}

/** Creates a database that exists until the run's PostgreSQL ends: empty, or a copy of one without connections. */
export async function createLastingDatabase(template?: string): Promise<string> {
  const answer = await findPostgres()
  if ('reason' in answer) throw new Error(answer.reason)
  const name = `test_${randomBytes(8).toString('hex')}`
  // The other strategy also writes each page to the WAL.
  const copied = template ? ` TEMPLATE ${nameOf(template)} STRATEGY FILE_COPY` : ''
  await run(answer.url, `CREATE DATABASE ${name}${copied}`)
  return `${answer.url}/${name}`
}

export const dropDatabase = (url: string): Promise<void> =>
  run(serverOf(url), `DROP DATABASE ${nameOf(url)} WITH (FORCE)`)

const nameOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1)
const serverOf = (url: string): string => url.slice(0, url.lastIndexOf('/'))

async function run(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
