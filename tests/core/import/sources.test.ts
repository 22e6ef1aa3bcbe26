import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sqlite3 from 'sqlite3'
import { expect, test } from 'vitest'
import { withoutPassword } from '../../../core/db/without-password.ts'
import { openSource } from '../../../core/import/sources/open.ts'
import { readAll, readBatches } from '../../../core/import/sources/source.ts'
import { readValues } from '../../../core/import/sources/values.ts'
import { digests } from '../../support/files.ts'
import { whenDone } from '../../support/lifetime.ts'
import { createNewApiDatabase } from '../../support/peers/new-api.js'
import { uncleanDatabase } from '../../support/peers/unclean.ts'
import { testFolder } from '../../support/toolkit.ts'

async function open(address: string) {
  const source = await openSource(address)
  whenDone(() => source.close())
  return source
}

async function dump(text: string | Buffer): Promise<string> {
  const file = join(await testFolder(), 'dump.sql')
  await writeFile(file, text)
  return file
}

test.each(['DELETE', 'WAL'] as const)(
  'an SQLite file in mode %s is read, and neither it nor its folder changes',
  async (journal) => {
    const folder = await testFolder()
    const file = join(folder, 'one-api.db')
    await createNewApiDatabase(file, { users: 3, tokens: 5, logs: 7, journal })
    const before = await digests(folder)

    const source = await openSource(file)
    const tokens = await readAll(source, 'tokens')
    const batches = []
    for await (const rows of readBatches(source, 'logs', { from: 2, to: 6, limit: 2 })) batches.push(rows.length)
    await source.close()

    expect(tokens).toHaveLength(5)
    expect(batches).toEqual([2, 2, 1])
    expect(await source.columns('tokens').catch(() => 'closed')).toBe('closed')
    expect(await digests(folder)).toEqual(before)
  },
)

test('a WAL file is read including pages not yet checkpointed', async () => {
  const file = join(await testFolder(), 'one-api.db')
  await createNewApiDatabase(file, { users: 3, tokens: 5, logs: 7, journal: 'WAL' })
  const writer = new sqlite3.Database(file)
  whenDone(() => new Promise((done) => writer.close(done)))
  await new Promise((done) => writer.exec('INSERT INTO tokens (id, user_id, "key") VALUES (99, 1, \'late\')', done))

  expect(await readAll(await open(file), 'tokens')).toHaveLength(6)
})

test('a dump of MySQL is read with its escapes, character sets and several rows in one statement', async () => {
  const file = await dump(`-- MySQL dump 10.13  Distrib 8.0
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`users\`;
CREATE TABLE \`users\` (
  \`id\` bigint NOT NULL AUTO_INCREMENT,
  \`username\` varchar(191) DEFAULT 'a,b',
  \`group\` varchar(64),
  PRIMARY KEY (\`id\`),
  UNIQUE KEY \`username\` (\`username\`)
) ENGINE=InnoDB;
LOCK TABLES \`users\` WRITE;
-- it's a comment; with a quote
INSERT INTO \`users\` VALUES (1,'it\\'s; (a) \\\\',NULL),(2,'two ''quotes''\\n',_binary 'g'),(3,0x616263,'');
UNLOCK TABLES;
-- Dump completed on 2026-01-01
`)
  expect(await readAll(await open(file), 'users')).toEqual([
    { id: 1, username: "it's; (a) \\", group: null },
    { id: 2, username: "two 'quotes'\n", group: 'g' },
    { id: 3, username: 'abc', group: '' },
  ])
})

test('both formats of a PostgreSQL dump are read', async () => {
  const head = `--\n-- PostgreSQL database dump\n--\n\\restrict abc\nSET client_encoding = 'UTF8';
CREATE TABLE public.users (\n    id bigint NOT NULL,\n    key character(48),\n    username text,\n    "group" character varying(64) DEFAULT 'default'::character varying\n);\n`
  const end = '\n--\n-- PostgreSQL database dump complete\n--\n'
  const copied = await dump(`${head}COPY public.users (id, key, username, "group") FROM stdin;
1\tk\ta\\tb\\\\c\t\\N
2\tk\tit's; fine\t
\\.
${end}`)
  const inserted = await dump(
    `${head}INSERT INTO public.users VALUES (1, 'k', E'a\\tb\\\\c', NULL), (2, 'k', 'it''s; fine', '');${end}`,
  )
  const rows = [
    { id: 1, key: 'k', username: 'a\tb\\c', group: null },
    { id: 2, key: 'k', username: "it's; fine", group: '' },
  ]
  expect(await readAll(await open(copied), 'users')).toEqual(rows)
  expect(await readAll(await open(inserted), 'users')).toEqual(rows)
})

test('a dump of SQLite is read', async () => {
  const file = await dump(`PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE \`users\` (\`id\` integer PRIMARY KEY AUTOINCREMENT,\`username\` text,"group" varchar(64) DEFAULT "default");
INSERT INTO users VALUES(1,replace('a\\nb','\\n',char(10)),'default');
INSERT INTO users VALUES(2,unistr('tab\\u0009end'),X'6767');
COMMIT;`)
  expect(await readAll(await open(file), 'users')).toEqual([
    { id: 1, username: 'a\nb', group: 'default' },
    { id: 2, username: 'tab\tend', group: 'gg' },
  ])
})

test('a dump larger than one chunk is read whole, at any chunk boundary', async () => {
  const rows = Array.from(
    { length: 30_000 },
    (_, at) => `(${at + 1},'name ${at} ''quoted'' \\\\ end -- no comment ${'x'.repeat(60)}')`,
  )
  const file = await dump(`-- MySQL dump 10.13\nCREATE TABLE \`users\` (\`id\` bigint, \`username\` text);
${Array.from({ length: 30 }, (_, at) => `INSERT INTO \`users\` VALUES ${rows.slice(at * 1000, at * 1000 + 1000).join(',')};`).join('\n')}
-- Dump completed\n`)
  const read = await readAll(await open(file), 'users')
  expect(read).toHaveLength(30_000)
  expect(read.every(({ username }, at) => String(username).startsWith(`name ${at} 'quoted' \\ end -- no`))).toBe(true)
})

test('invalid UTF-8 bytes are replaced, and the row is kept', async () => {
  const file = await dump(
    Buffer.concat([
      Buffer.from("CREATE TABLE users (id int, username text);\nINSERT INTO users VALUES (1,'a"),
      Buffer.from([0xff, 0xfe]),
      Buffer.from("b');"),
    ]),
  )
  expect(await readAll(await open(file), 'users')).toEqual([{ id: 1, username: 'a\ufffd\ufffdb' }])
})

test.each([
  ['a statement that does not end', "CREATE TABLE users (id int, username text);\nINSERT INTO users VALUES (1,'a"],
  ['data that does not end', 'CREATE TABLE users (id int);\nCOPY users (id) FROM stdin;\n1\n2'],
  [
    'a dump of MySQL without its last line',
    '-- MySQL dump 10\nCREATE TABLE `users` (`id` int);\nINSERT INTO `users` VALUES (1);\n',
  ],
  [
    'a dump of SQLite without its last line',
    'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE users (id int);\nINSERT INTO users VALUES(1);\n',
  ],
  ['a text file', 'Dear diary'],
  ['an empty file', ''],
  ['a row of too few values', 'CREATE TABLE users (id int, a int);\nINSERT INTO users VALUES (1);'],
])('%s is rejected with a reason', async (_, text) => {
  await expect(openSource(await dump(text))).rejects.toMatchObject({ code: 'IMPORT_SOURCE_UNREADABLE' })
})

test('a missing or unreachable source is rejected with a reason and without its password', async () => {
  const folder = await testFolder()
  for (const address of [
    join(folder, 'none.db'),
    folder,
    'mysql://root:secret@127.0.0.1:1/x',
    'postgres://u:secret@127.0.0.1:1/x',
  ]) {
    const error = await openSource(address).catch((refused: Error) => refused)
    expect(error).toMatchObject({ code: 'IMPORT_SOURCE_UNREADABLE' })
    expect(String((error as Error).message)).not.toContain('secret')
  }
})

test('an address of another kind is rejected with the supported ones', async () => {
  await expect(openSource('redis://127.0.0.1/1')).rejects.toMatchObject({
    code: 'IMPORT_SOURCE_UNREADABLE',
    params: { reason: expect.stringMatching(/^give an SQLite file, .*mysql:\/\/.*postgres:\/\//) },
  })
})

test('a truncated SQLite file is rejected', async () => {
  const file = join(await testFolder(), 'cut.db')
  await writeFile(file, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(50)]))
  await expect(openSource(file)).rejects.toMatchObject({ code: 'IMPORT_SOURCE_UNREADABLE' })
})

test('an SQLite file with a transaction to undo is rejected with what to do, and not modified', async () => {
  const file = await uncleanDatabase('DELETE')
  const before = await digests(join(file, '..'))
  await expect(openSource(file)).rejects.toMatchObject({
    code: 'IMPORT_SOURCE_UNREADABLE',
    params: { reason: expect.stringContaining('left one-api.db-journal: start and stop that program') },
  })
  expect(await digests(join(file, '..'))).toEqual(before)
})

test('an archive of pg_dump is rejected with the command that converts it', async () => {
  const file = await dump(Buffer.from('PGDMP\0\x01\x0e CREATE TABLE users ('))
  await expect(openSource(file)).rejects.toMatchObject({
    params: { reason: expect.stringContaining('pg_restore -f dump.sql') },
  })
})

test('addresses are shown without their passwords', () => {
  expect(withoutPassword('mysql://root:p@ss:w@host:3306/x')).toBe('mysql://root:***@host:3306/x')
  expect(withoutPassword('postgres://me:a:b@db/tollgate')).toBe('postgres://me:***@db/tollgate')
  expect(withoutPassword('root:p@ss@tcp(host:3306)/x?charset=utf8')).toBe('root:***@tcp(host:3306)/x?charset=utf8')
  expect(withoutPassword('postgres://me@db/x?password=a:b@c&sslmode=require')).toBe(
    'postgres://me@db/x?password=***&sslmode=require',
  )
  expect(withoutPassword('/data/one-api.db')).toBe('/data/one-api.db')
})

test('an invalid list of values is rejected', () => {
  const invalidTexts = ['', '(1,', '(a b)', "('x)", '(now())', '1,2', '(1) (2)', '(1)(2)', '(1),', '(1),,(2)']
  for (const text of invalidTexts) expect(() => readValues(text, false)).toThrow()
  expect(readValues("(1, -2.5, true), (NULL, '', 1e3)", false)).toEqual([
    [1, -2.5, 1],
    [null, '', 1000],
  ])
})
