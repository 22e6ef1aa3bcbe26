import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { breakingIn } from '../../../cli/commands/upgrade-check/breaking.ts'
import { VERSION } from '../../../core/version.ts'
import { createWorld, type World } from '../support.ts'

async function check(world: World, env: Record<string, string> = world.env) {
  const { stdout, exitCode } = await world.run(['upgrade-check', '--json'], { env })
  const findings: { check: string; status: string; message: string; fix?: string }[] = JSON.parse(stdout)
  return { exitCode, of: (name: string) => findings.find((finding) => finding.check === name) }
}

/** A gateway of another version, where the settings say that it is. */
async function runningVersion({ env }: World, version: string) {
  const server = createServer((_request, response) => response.end(JSON.stringify({ data: { version } })))
  server.listen(Number(env.PORT), '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
}

test('a database of this version needs no change, and is not changed', async () => {
  const world = await createWorld()
  const { exitCode, of } = await check(world)
  expect(exitCode).toBe(0)
  expect(of('version')).toMatchObject({ status: 'ok', message: expect.stringContaining('no gateway is running') })
  expect(of('database')).toMatchObject({ status: 'ok', message: expect.stringContaining('up to date') })
})

test('pending migrations are listed with the disk space they need, and stay pending', async () => {
  const world = await createWorld()
  const [last] = await world.inside(({ db }) =>
    db.transaction(async (trx) => {
      const names: string[] = await trx('migrations').orderBy('id', 'desc').limit(1).pluck('name')
      await trx('migrations').whereIn('name', names).delete()
      return names
    }),
  )
  const { exitCode, of } = await check(world)
  expect(exitCode).toBe(0)
  expect(of('database')).toMatchObject({
    status: 'warn',
    message: expect.stringContaining(String(last)),
    fix: expect.stringContaining('tollgate db backup'),
  })
  expect(of('disk')).toMatchObject({ status: 'ok', message: expect.stringContaining('needed for a backup') })
  expect((await check(world)).of('database')).toMatchObject({ status: 'warn' })
})

test('a database of a newer version, and a wrong key, fail with exit code 1', async () => {
  const world = await createWorld()
  const other = { ...world.env, TOLLGATE_SECRET: 'another-secret-another-secret' }
  expect(await check(world, other)).toMatchObject({ exitCode: 1 })
  await world.inside(({ db }) =>
    db.transaction((trx) => trx('migrations').insert({ name: '9999-future', applied_at: 1 })),
  )
  const { exitCode, of } = await check(world)
  expect(exitCode).toBe(1)
  expect(of('database')).toMatchObject({ status: 'fail', message: expect.stringContaining('9999-future') })
})

test('the running gateway may be older, but not newer', async () => {
  const [older, newer] = [await createWorld(), await createWorld()]
  await runningVersion(older, '0.1.0')
  await runningVersion(newer, '99.0.0')
  const upgrade = await check(older)
  expect(upgrade.exitCode).toBe(0)
  expect(upgrade.of('version')).toMatchObject({ status: 'ok', message: expect.stringContaining(`${VERSION} can`) })
  expect(upgrade.of('changes')).toMatchObject({ status: 'warn', fix: expect.stringContaining('CHANGELOG.md') })
  const downgrade = await check(newer)
  expect(downgrade.exitCode).toBe(1)
  expect(downgrade.of('version')).toMatchObject({ status: 'fail', message: expect.stringContaining('is older') })
})

describe('breaking changes', () => {
  const CHANGELOG = `# Changelog

## [2.1.0] - unreleased

- A thing. **Breaking:** \`a\` is now \`b\`,
  and c too.
- Another.

## [2.0.0] - 2026-01-01

- **Breaking:** old.
`
  test('are those of versions after the running one', () => {
    expect(breakingIn(CHANGELOG, '2.0.0')).toEqual(['a is now b, and c too.'])
    expect(breakingIn(CHANGELOG, '1.9.0')).toEqual(['a is now b, and c too.', 'old.'])
    expect(breakingIn(CHANGELOG, '2.1.0')).toEqual([])
  })
})
