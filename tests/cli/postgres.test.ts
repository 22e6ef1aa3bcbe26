import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createPostgresDatabase } from '../support/postgres.ts'
import { createWorld, untilAnswering } from './support.ts'

test('the same commands work on PostgreSQL', async () => {
  const world = await createWorld(
    { DATABASE_URL: await createPostgresDatabase(), LOG_LEVEL: 'warn' },
    { isEmpty: true },
  )
  const doctor = await world.run(['doctor'])
  expect(doctor).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^ok +database +none yet/m) })
  const flags = ['--channel-type', 'openai', '--channel-key', 'sk-upstream', '--token-name', 'app']
  expect((await world.run(['init', ...flags])).exitCode).toBe(0)
  expect((await world.run(['init', ...flags])).exitCode).toBe(5)
  expect((await world.json('token', 'list')).items).toMatchObject([{ name: 'app' }])
  expect((await world.run(['ledger', 'verify'])).stdout).toMatch(/^equal for 1 user:/)
  const { stdout } = await world.run(['doctor'])
  expect(stdout).toMatch(/^ok +database +postgres:\/\/tollgate:\*\*\*@.* up to date$/m)
  expect(stdout).toMatch(/^ok +clock +\d\.\d s off the database clock$/m)
  expect(readdirSync(world.folder)).toEqual([])

  const gateway = world.start(['serve', '--workers', '2'])
  await untilAnswering(world.url)
  gateway.kill('SIGTERM')
  expect((await gateway).exitCode).toBe(0)
})

test('an unreachable PostgreSQL is one line and exit code 1, without its password', async () => {
  const settings = { DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/tollgate' }
  const world = await createWorld(settings, { isEmpty: true })
  const { stdout, stderr, exitCode } = await world.run(['token', 'list'])
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
  expect(stderr).toMatch(/^error: cannot open the database postgres:\/\/me:\*\*\*@127\.0\.0\.1:1\/tollgate.*$/)
})
