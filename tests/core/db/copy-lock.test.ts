import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { copyDatabase } from '../../../core/db/copy/copy.ts'
import type { Database } from '../../../core/db/database.ts'
import { openDatabase } from '../../../core/db/open.ts'
import { signWith } from '../../../core/ledger/chain.ts'
import { openSecrets } from '../../../core/master-key.ts'
import { whenDone } from '../../support/lifetime.ts'
import { secretOf } from '../../support/server-process.ts'
import { onBoth, type TestToolkit } from '../../support/toolkit.ts'

const BIN = fileURLToPath(new URL('../../../bin/tollgate.js', import.meta.url))

/** Makes a copy wait before its end, as if a gateway used the source. Returns a function that stops this. */
async function addGateway({ toolkit: { db } }: TestToolkit): Promise<() => Promise<void>> {
  const seen_at = Math.floor(Date.now() / 1000) + 3600
  await db.transaction((trx) => trx('nodes').insert({ id: 'gateway', started_at: seen_at, seen_at }))
  return () => db.transaction(async (trx) => void (await trx('nodes').where({ id: 'gateway' }).delete()))
}

const targetUrl = ({ config }: TestToolkit, name: string): string => `sqlite:${join(config.dataFolder, name)}`

/** Copies to a new file. Resolves to the target, or rejects. */
async function copy(fixture: TestToolkit, name: string, onWaiting = () => {}): Promise<Database> {
  const { config } = fixture
  const [source, target] = [await openDatabase(config.databaseUrl), await openDatabase(targetUrl(fixture, name))]
  whenDone(() => target.close())
  const context = { sign: signWith(await openSecrets(source, config)) }
  const onProgress = ({ step }: { step: string }) => step === 'waiting' && onWaiting()
  const { signal } = new AbortController()
  try {
    await copyDatabase(source, target, { context, whileRunning: false, onProgress, signal })
    return target
  } finally {
    await source.close()
  }
}

onBoth('two copies of one database', (open) => {
  test('cannot run at the same time, and the first one gets all changes', async () => {
    const fixture = await open()
    const removeGateway = await addGateway(fixture)
    let isWaiting = false
    const first = copy(fixture, 'first.db', () => {
      isWaiting = true
    })
    await expect.poll(() => isWaiting, { timeout: 10_000 }).toBe(true)

    await expect(copy(fixture, 'second.db')).rejects.toMatchObject({
      code: 'COPY_FAILED',
      params: { reason: expect.stringContaining('another copy of') },
    })
    const user = await fixture.user()
    await removeGateway()
    const target = await first
    expect(await target.reader('users').where({ id: user.id }).first('username')).toEqual({ username: user.username })

    await copy(fixture, 'third.db')
    expect(existsSync(join(fixture.config.dataFolder, 'tollgate.db-copy-lock'))).toBe(false)
  })

  test('can run one after the other, if the first one was killed', async () => {
    const fixture = await open()
    const removeGateway = await addGateway(fixture)
    const { databaseUrl, dataFolder } = fixture.config
    const killed = spawn(process.execPath, [BIN, 'db', 'copy', databaseUrl, targetUrl(fixture, 'killed.db')], {
      cwd: dataFolder,
      env: { PATH: process.env.PATH, HOME: dataFolder, TOLLGATE_SECRET: await secretOf(fixture.config), LANG: 'C' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let notes = ''
    killed.stderr.on('data', (text) => {
      notes += text
    })
    await expect.poll(() => notes, { timeout: 30_000 }).toContain('Nearly everything is copied')
    const exited = once(killed, 'exit')
    killed.kill('SIGKILL')
    await exited
    await removeGateway()

    await expect.poll(() => copy(fixture, 'next.db').then(() => 'copied', String), { timeout: 10_000 }).toBe('copied')
  }, 60_000)
})
