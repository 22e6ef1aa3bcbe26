import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createWorld, SECRET } from './support.ts'

type Row = { name: string; value: string; origin: string }

async function origins(world: Awaited<ReturnType<typeof createWorld>>, ...flags: string[]) {
  const rows: Row[] = await world.json('config', ...flags)
  return Object.fromEntries(rows.map(({ name, value, origin }) => [name, [value, origin]]))
}

test('config shows the value and source of each setting', async () => {
  const world = await createWorld({ PORT: '', LOG_LEVEL: 'warn' })
  writeFileSync(
    join(world.folder, 'tollgate.yaml'),
    'port: 8080\nlog_level: debug\ntrust_proxy: [10.0.0.0/8, 127.0.0.1]\n',
  )
  expect(await origins(world, '--database', 'sqlite:./other.db')).toMatchObject({
    PORT: ['8080', 'file'],
    LOG_LEVEL: ['warn', 'environment'],
    TRUST_PROXY: ['10.0.0.0/8,127.0.0.1', 'file'],
    DATABASE_URL: ['sqlite:./other.db', 'flag'],
    WORKERS: ['1', 'default'],
  })
})

test('config never shows a secret', async () => {
  const world = await createWorld()
  for (const [url, shown] of [
    ['postgres://me:hidden-word@db/tollgate', 'postgres://me:***@db/tollgate'],
    ['postgres://me:hid@den-word@db/tollgate', 'postgres://me:***@db/tollgate'],
    ['postgres://me@db/tollgate?password=hidden-word', 'postgres://me@db/tollgate?password=***'],
  ] as const) {
    const { stdout } = await world.run(['config', '--database', url])
    expect(stdout).toMatch(/TOLLGATE_SECRET +\(set\)/)
    expect(stdout).toContain(shown)
    expect(stdout).not.toMatch(new RegExp(`den-word|${SECRET}`))
  }
})

test.each([
  ['prot: 8080\n', 'there is no setting named prot'],
  ['port: {a: 1}\n', 'port must be a single value'],
  ['- a\n', 'name: value'],
  ['port: [\n', 'tollgate.yaml'],
  ['port: 99999\n', 'PORT'],
])('a settings file with %j is rejected with the reason', async (text, reason) => {
  const world = await createWorld({ PORT: '' })
  writeFileSync(join(world.folder, 'tollgate.yaml'), text)
  expect(await world.run(['config'])).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) })
})

test('a missing settings file is an error if it was named', async () => {
  const world = await createWorld()
  const { exitCode, stderr } = await world.run(['config', '--config', 'nowhere.yaml'])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('nowhere.yaml') })
})
