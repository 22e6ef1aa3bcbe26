import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import knex from 'knex'
import { expect, test } from 'vitest'
import { digests } from '../support/files.ts'
import { uncleanDatabase } from '../support/peers/unclean.ts'
import { testFolder } from '../support/toolkit.ts'
import { createWorld } from './support.ts'

const COLUMNS = { 'new-api': 'model_limits_enabled', 'one-api': 'subnet', 'another program': 'an_unknown_column' }

async function databaseOf(product: keyof typeof COLUMNS): Promise<string> {
  const file = join(await testFolder(), 'other.db')
  const db = knex({ client: 'sqlite3', connection: { filename: file }, useNullAsDefault: true })
  await db.schema.createTable('users', (table) => void table.increments('id'))
  await db.schema.createTable('tokens', (table) => {
    table.increments('id')
    table.string(COLUMNS[product])
  })
  await db.destroy()
  return file
}

test.each(['new-api', 'one-api', 'another program'] as const)(
  'a database of %s is recognized by every command and doctor, and not modified',
  async (product) => {
    const file = await databaseOf(product)
    const digest = async () =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex')
    const before = await digest()
    const recognized =
      product === 'another program'
        ? `${file} belongs to another program`
        : `This is a ${product} database. To move in: tollgate import ${product} ${file} --database sqlite:./data/tollgate.db`
    const { run } = await createWorld({}, { isEmpty: true })

    for (const words of [['user', 'list'], ['db', 'migrate'], ['serve', '--port', '0'], ['init']]) {
      const { exitCode, stderr } = await run([...words, '--database', `sqlite:${file}`])
      expect({ words, exitCode: exitCode !== 0 }).toEqual({ words, exitCode: true })
      expect(stderr).toContain(recognized)
      if (product === 'another program') expect(stderr).not.toContain('tollgate import')
      expect(stderr).not.toContain('(')
    }
    if (product !== 'another program') {
      // The command of the hint, where DATABASE_URL names that file.
      const words = ['import', product, file, '--database', 'sqlite:./data/tollgate.db', '--dry-run']
      expect((await run(words, { env: { DATABASE_URL: `sqlite:${file}` } })).stderr).not.toContain('not a Tollgate')
    }
    const { stdout, exitCode } = await run(['doctor', '--database', `sqlite:${file}`])
    expect(stdout).toContain(recognized)
    expect(exitCode).toBe(1)
    expect(await digest()).toBe(before)
    expect(await readdir(join(file, '..'))).toEqual(['other.db'])
  },
)

test.each(['WAL', 'DELETE'] as const)(
  'a database in mode %s whose program was killed keeps its data and what is left to be done',
  async (journal) => {
    const file = await uncleanDatabase(journal)
    const data = async () => Object.entries(await digests(join(file, '..'))).filter(([name]) => !name.endsWith('-shm'))
    const before = await data()
    expect(before.map(([name]) => name)).toEqual([
      'one-api.db',
      journal === 'WAL' ? 'one-api.db-wal' : 'one-api.db-journal',
    ])
    const { run } = await createWorld({}, { isEmpty: true })

    for (const words of [['user', 'list'], ['serve', '--port', '0'], ['doctor'], ['db', 'check']]) {
      const { stdout, stderr, exitCode } = await run([...words, '--database', `sqlite:${file}`])
      expect({ words, exitCode, text: stdout + stderr }).toMatchObject({
        ...{
          words,
          exitCode: 1,
          text: expect.stringContaining('This is a new-api database. To move in: tollgate import new-api '),
        },
      })
      expect(await data()).toEqual(before)
    }
    await run(['db', 'copy', `sqlite:${file}`, 'sqlite:copy.db'])
    expect(await data()).toEqual(before)
  },
)
