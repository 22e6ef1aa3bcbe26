import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe.each(BACKINGS)('api-key, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test('create prints the key alone, list shows its prefix, and revoke invalidates it', async () => {
    const { run, json } = world()
    const created = await run([
      'api-key',
      'create',
      'nightly',
      '--scope',
      'codes:create',
      '--quota',
      '$1',
      '--expires',
      '30d',
    ])
    expect(created).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^tgm_\w{40}$/) })
    const { items } = await json('api-key', 'list')
    expect(items[0]).toMatchObject({ name: 'nightly', scopes: ['codes:create'], quota_max: 500_000, revoked_at: 0 })
    expect(items[0].expires_at).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400)
    expect((await run(['api-key', 'list'])).stdout).not.toContain(created.stdout)

    expect((await run(['api-key', 'revoke', String(items[0].id)])).exitCode).toBe(2)
    expect(await json('api-key', 'revoke', String(items[0].id), '-y')).toMatchObject({ revoked_at: expect.any(Number) })
    expect((await run(['api-key', 'list'])).stdout).toMatch(/revoked/)
    expect((await run(['api-key', 'revoke', '999', '-y'])).exitCode).toBe(3)
  })

  test('an unknown scope is rejected with the list of scopes', async () => {
    const refused = await world().run(['api-key', 'create', 'x', '--scope', 'codes:creat'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/codes:creat\b.*channels.*create/) })
  })
})

test('a command on a server works with a key, within its scopes', async () => {
  const { run, json, env } = await openBacking('server')
  const { key } = await json('api-key', 'create', 'nightly', '--scope', 'codes:create')
  const asKey = { env: { ...env, TOLLGATE_TOKEN: key } }
  const made = await run(['redemption', 'create', '--name', 'n', '--quota', '5', '--count', '120', '--json'], asKey)
  expect(made.exitCode).toBe(0)
  expect(JSON.parse(made.stdout)).toHaveLength(120)
  const refused = await run(['channel', 'list'], asKey)
  expect(refused).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('channels:read') })
})
