import { describe, expect, test } from 'vitest'
import { createWorld } from './support.ts'

const DAY_S = 86_400
const now = () => Math.floor(Date.now() / 1000)

describe('token create', () => {
  test('prints nothing but the key on stdout, and the key is good', async () => {
    const world = await createWorld()
    const { stdout, stderr, exitCode } = await world.run(['token', 'create', 'app'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^sk-\w{48}$/)
    expect(stderr).toBe('Created token 1, app. Its key:')
    const live = await world.inside((toolkit) => toolkit.callers.findToken(stdout.slice('sk-'.length)))
    expect(live).toMatchObject({ name: 'app', unlimited: false, expiredTime: -1 })
  })

  test('gives a key of one dollar that never expires unless told otherwise', async () => {
    const world = await createWorld()
    expect(await world.json('token', 'create', 'app')).toMatchObject({
      key: expect.stringMatching(/^sk-\w{48}$/),
      remain_quota: 500_000,
      unlimited_quota: false,
      expired_time: -1,
      user_id: 1,
    })
  })

  test('takes budget, expiry, models, addresses and group', async () => {
    const world = await createWorld()
    const limits = ['--models', 'gpt-4o, o3-mini', '--allow-ips', '10.0.0.0/8,192.168.1.7', '--group', 'vip']
    const token = await world.json('token', 'create', 'app', '--quota', '1234', '--expires', '30d', ...limits)
    expect(token).toMatchObject({
      remain_quota: 1234,
      model_limits_enabled: true,
      model_limits: 'gpt-4o,o3-mini',
      allow_ips: '10.0.0.0/8\n192.168.1.7',
      group: 'vip',
    })
    expect(Math.abs(token.expired_time - (now() + 30 * DAY_S))).toBeLessThan(60)
  })

  test('makes a key for another user, named by name or id', async () => {
    const world = await createWorld()
    const ann = await world.json('user', 'create', 'ann')
    expect(await world.json('token', 'create', 'one', '--user', 'ann')).toMatchObject({
      user_id: ann.id,
      key: expect.stringMatching(/^sk-/),
    })
    expect(await world.json('token', 'create', 'two', '--user', String(ann.id))).toMatchObject({ user_id: ann.id })
    const nobody = await world.run(['token', 'create', 'three', '--user', 'nobody'])
    expect(nobody).toMatchObject({ exitCode: 3, stderr: 'error: User nobody does not exist' })
  })

  test('refuses a second token of the same name as a conflict', async () => {
    const world = await createWorld()
    await world.run(['token', 'create', 'app'])
    const { exitCode, stderr } = await world.run(['token', 'create', 'app'])
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('named app') })
  })

  test.each([
    ['--quota', '1e30'],
    ['--quota', '-3'],
    ['--quota', '1.5'],
    ['--quota', '0x10'],
    ['--quota', ' '],
    ['--quota', '1000000000000001'],
    ['--expires', '30'],
    ['--expires', '2020-01-01'],
    ['--expires', '2030-02-31'],
    ['--user', 'nobody', 3],
    ['--allow-ips', 'everywhere'],
  ])('refuses %s %j, naming it, and creates nothing', async (flag, value, expected = 2) => {
    const world = await createWorld()
    const { stdout, stderr, exitCode } = await world.run(['token', 'create', 'app', String(flag), String(value)])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: expected })
    expect(stderr).toMatch(/--quota|--expires|nobody|allow_ips/)
    expect(await world.inside(async ({ tokens }, root) => (await tokens.list(root)).total)).toBe(0)
  })
})

test('token list shows enough of a key to tell it, never all of it', async () => {
  const world = await createWorld()
  const { key } = await world.json('token', 'create', 'app')
  const masked = `${key.slice(0, 7)}********${key.slice(-4)}`
  const table = await world.run(['token', 'list'])
  expect(table.stdout).toMatch(/^ID {2}NAME {2}KEY +STATUS/)
  expect(table.stdout).toContain(masked)
  expect(await world.json('token', 'list')).toMatchObject({
    items: [{ id: 1, name: 'app', key: masked, status: 1 }],
    total: 1,
    page: 1,
    page_size: 20,
  })
})

test('token list searches, pages and looks at other users', async () => {
  const world = await createWorld()
  await world.inside(async ({ accounts, tokens }, root) => {
    for (const name of ['prod-a', 'prod-b', 'test']) await tokens.create(root, { name })
    await tokens.create(await accounts.create(root, { username: 'ann', password: 'password1' }), { name: 'hers' })
  })
  const names = async (...flags: string[]) =>
    (await world.json('token', 'list', ...flags)).items.map(({ name }: { name: string }) => name)
  expect(await names('--search', 'prod')).toEqual(['prod-b', 'prod-a'])
  expect(await names('--limit', '2', '--page', '2')).toEqual(['prod-a'])
  expect(await names('--user', 'ann')).toEqual(['hers'])
  expect(await names('--everybody')).toEqual(['hers', 'test', 'prod-b', 'prod-a'])
  const { stderr } = await world.run(['token', 'list', '--limit', '2'])
  expect(stderr).toBe('Page 1 of 2, 3 in all. Next: --page 2')
})

test('an empty list is exit 0 and a hint on stderr', async () => {
  const world = await createWorld()
  expect(await world.run(['token', 'list'])).toEqual({
    stdout: '',
    stderr: 'No tokens. Create one with: tollgate token create <name>',
    exitCode: 0,
  })
})

test('token get shows the limits, and the key only when asked', async () => {
  const world = await createWorld()
  const { key } = await world.json('token', 'create', 'app', '--unlimited')
  const { stdout } = await world.run(['token', 'get', '1'])
  expect(stdout).toMatch(/^quota left +unlimited$/m)
  expect(stdout).not.toContain(key)
  expect((await world.run(['token', 'get', '1', '--show-key'])).stdout).toContain(key)
})

test('token disable and enable change the status', async () => {
  const world = await createWorld()
  await world.run(['token', 'create', 'app'])
  expect(await world.json('token', 'disable', '1')).toMatchObject({ id: 1, status: 2 })
  const { stderr } = await world.run(['token', 'enable', '1'])
  expect(stderr).toBe('Token 1, app, is enabled.')
})

test('token delete needs --yes without a terminal, and takes all or none', async () => {
  const world = await createWorld()
  await world.inside(async ({ tokens }, root) => {
    for (const name of ['a', 'b']) await tokens.create(root, { name })
  })
  const unsure = await world.run(['token', 'delete', '1'])
  expect(unsure).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') })
  expect((await world.run(['token', 'delete', '1', '99', '--yes'])).exitCode).toBe(3)
  expect((await world.json('token', 'list')).total).toBe(2)
  expect(await world.json('token', 'delete', '1', '2', '--yes')).toEqual({ deleted: [1, 2] })
  expect((await world.json('token', 'list')).total).toBe(0)
})
