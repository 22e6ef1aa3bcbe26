import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { whenDone } from './lifetime.ts'
import type { PostgresAnswer } from './postgres-server.ts'

/** The address of the run's PostgreSQL, or why there is none. With CI=true there must be one: throws. */
export async function findPostgres(): Promise<PostgresAnswer> {
  const answer = (await (await fetch(inject('postgresDoor'))).json()) as PostgresAnswer
  if ('reason' in answer && process.env.CI === 'true') throw new Error(answer.reason)
  return answer
}

/** A new and empty database, dropped when the test ends. Answers its URL. */
export async function createPostgresDatabase(): Promise<string> {
  const url = await createLastingDatabase()
  whenDone(() => dropDatabase(url))
  return url
}

/** One that is there until the run's PostgreSQL goes: empty, or a copy of one to which nobody is connected. */
export async function createLastingDatabase(template?: string): Promise<string> {
  const answer = await findPostgres()
  if ('reason' in answer) throw new Error(answer.reason)
  const name = `test_${randomBytes(8).toString('hex')}`
  // The other way of copying writes each page to the log as well.
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
