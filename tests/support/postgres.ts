import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { PostgresAnswer } from './postgres-server.ts'

/** The address of the run's PostgreSQL, or why there is none. With CI=true there must be one: throws. */
export async function findPostgres(): Promise<PostgresAnswer> {
  const answer = (await (await fetch(inject('postgresDoor'))).json()) as PostgresAnswer
  if ('reason' in answer && process.env.CI === 'true') throw new Error(answer.reason)
  return answer
}

/** A new, empty database, dropped when the test ends. Answers its URL. */
export async function createPostgresDatabase(): Promise<string> {
  const answer = await findPostgres()
  if ('reason' in answer) throw new Error(answer.reason)
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(answer.url, `CREATE DATABASE ${name}`)
  onTestFinished(() => run(answer.url, `DROP DATABASE ${name} WITH (FORCE)`))
  return `${answer.url}/${name}`
}

async function run(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
