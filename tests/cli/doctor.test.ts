import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CHANNEL, createWorld, type World } from './support.ts'

type Finding = { check: string; status: string; message: string; fix?: string }

async function examine(world: World, env: Record<string, string> = world.env) {
  const { stdout, exitCode } = await world.run(['doctor', '--json'], { env })
  const findings: Finding[] = JSON.parse(stdout)
  return { exitCode, of: (check: string) => findings.find((finding) => finding.check === check) }
}

test('doctor without a database passes, and creates nothing', async () => {
  const world = await createWorld({}, { isEmpty: true })
  const { exitCode, of } = await examine(world)
  expect(exitCode).toBe(0)
  for (const check of ['node', 'settings', 'data folder', 'secret', 'disk', 'clock', 'port', 'database']) {
    expect(of(check)).toMatchObject({ status: 'ok' })
  }
  expect(readdirSync(world.folder)).toEqual([])
})

test('doctor checks channels, prices and the ledger', async () => {
  const world = await createWorld()
  await world.inside(() => Promise.resolve())
  expect((await examine(world)).of('channels')).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('none'),
  })
  const one = await world.inside(({ channels }, root) => channels.create(root, { ...CHANNEL, models: 'gpt-4o' }))
  expect((await examine(world)).of('prices')).toMatchObject({ message: 'the only model has a price' })
  await world.inside(({ channels }, root) => channels.delete(root, one.id))
  await world.inside(({ channels }, root) => channels.create(root, { ...CHANNEL, models: 'gpt-4o,priceless' }))
  const { exitCode, of } = await examine(world)
  expect(exitCode).toBe(0)
  expect(of('channels')).toMatchObject({ status: 'ok', message: '1 enabled, 2 models' })
  expect(of('prices')).toMatchObject({ status: 'warn', message: expect.stringContaining('priceless') })
  expect(of('ledger')).toMatchObject({ status: 'ok' })
})

test('doctor checks more channels than one page of a list has', async () => {
  const world = await createWorld()
  await world.inside(async ({ channels, db }, root) => {
    const { id } = await channels.create(root, { ...CHANNEL, models: 'gpt-4o' })
    const { id: _, ...row } = await db.reader('channels').where({ id }).first()
    const rows = Array.from({ length: 1000 }, () => row)
    await db.transaction(async (trx) => {
      await trx.batchInsert('channels', rows, 20)
      await trx('channels').where({ id }).update({ models: 'priceless', priority: -1 })
    })
  })
  const { of } = await examine(world)
  expect(of('channels')).toMatchObject({ message: '1001 enabled, 2 models' })
  expect(of('prices')).toMatchObject({ status: 'warn', message: expect.stringContaining('priceless') })
})

test('doctor fails if the ledger differs, with the next step', async () => {
  const world = await createWorld()
  await world.inside(({ db }) => db.transaction((trx) => trx('users').increment('quota', 1)))
  const { stdout, exitCode } = await world.run(['doctor'])
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/^fail {2}ledger +the ledger differs in 1 row\n +→ .*tollgate ledger verify$/m)
})

test('doctor fails with a wrong secret, and for a port in use', async () => {
  const world = await createWorld()
  await world.inside(() => Promise.resolve())
  const stranger = createServer().listen(Number(world.env.PORT), '127.0.0.1')
  await once(stranger, 'listening')
  onTestFinished(() => void stranger.close())
  const { exitCode, of } = await examine(world, { ...world.env, TOLLGATE_SECRET: 'another-secret-another-secret' })
  expect(exitCode).toBe(1)
  expect(of('database')).toMatchObject({ status: 'fail', message: expect.stringContaining('TOLLGATE_SECRET') })
  expect(of('port')).toMatchObject({ status: 'fail', message: expect.stringContaining('in use') })
})

test('doctor warns of a secret file that other users can read', async () => {
  const world = await createWorld({ TOLLGATE_SECRET: '' }, { isEmpty: true })
  await world.run(['db', 'migrate'])
  const file = join(world.folder, 'data', 'tollgate.secret')
  expect((await examine(world)).of('secret')).toMatchObject({ status: 'ok' })
  chmodSync(file, 0o644)
  expect((await examine(world)).of('secret')).toMatchObject({ status: 'warn', fix: `chmod 600 ${file}` })
})

test('doctor names an invalid setting, and stops', async () => {
  const world = await createWorld({ LOG_LEVEL: 'loud' }, { isEmpty: true })
  const { exitCode, of } = await examine(world)
  expect(exitCode).toBe(1)
  expect(of('settings')).toMatchObject({ status: 'fail', message: expect.stringContaining('LOG_LEVEL') })
  expect(existsSync(world.databaseFile)).toBe(false)
})
