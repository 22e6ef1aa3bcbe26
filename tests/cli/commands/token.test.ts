import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

const DAY_S = 86_400
const now = () => Math.floor(Date.now() / 1000)

describe.each(BACKINGS)('token, on a %s', (kind) => {
  const world = shared(async () => {
    const opened = await openBacking(kind)
    await opened.inside(({ accounts }, root) => accounts.create(root, { username: 'ann', password: 'correct horse' }))
    return opened
  })
  const run = (...words: string[]) => world().run(['token', ...words])
  const json = (...words: string[]) => world().json('token', ...words)
  const names = async (...flags: string[]) =>
    (await json('list', ...flags)).items.map(({ name }: { name: string }) => name)
  const inFolder = (name: string) => join(world().folder, name)
  /** A command that answers its JSON document though it ends with another code than 0. */
  const partly = async (...words: string[]) => JSON.parse((await run(...words, '--json')).stdout)

  test('create prints only the key; list shows it masked, and get prints it with --reveal', async () => {
    const { stdout, stderr, exitCode } = await run('create', 'app')
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^Created token \d+, app. Its key:$/),
    })
    expect(stdout).toMatch(/^sk-\w{48}$/)
    const live = await world().inside(async (toolkit) => toolkit.callers.findToken(stdout.slice('sk-'.length)))
    expect(live).toMatchObject({ name: 'app', unlimited: false, expiredTime: -1 })

    const masked = `${stdout.slice(0, 7)}********${stdout.slice(-4)}`
    const { items } = await json('list', '--search', 'app')
    expect(items).toMatchObject([
      { name: 'app', key: masked, remain_quota: 500_000, expired_time: -1, user_id: 1, username: 'root' },
    ])
    const table = await run('list', '--search', 'app')
    expect(table.stdout).toMatch(/^ID {2}NAME {2}KEY +STATUS/)
    expect(table.stdout).toContain(masked)
    const id = String(items[0].id)
    expect((await run('get', id)).stdout).not.toContain(stdout)
    expect((await run('get', id, '--show-key')).stdout).toContain(stdout)
    expect(await json('get', id, '--show-key')).toMatchObject({ key: stdout, username: 'root' })
    expect((await run('get', id)).stdout).toMatch(/^user +root$/m)
  })

  test('create accepts budget, expiry, models, addresses from a file, and group', async () => {
    writeFileSync(inFolder('addresses'), '# the office\n10.0.0.0/8\n\n192.168.1.7 # Ann\n')
    const limits = ['--models', 'gpt-4o, no-such-model', '--allow-ips-file', 'addresses', '--group', 'vip']
    const token = await json('create', 'limited', '--quota', '1234', '--expires', '30d', ...limits)
    expect(token).toMatchObject({
      remain_quota: 1234,
      unlimited_quota: false,
      model_limits_enabled: true,
      model_limits: 'gpt-4o,no-such-model',
      allow_ips: '10.0.0.0/8\n192.168.1.7',
      group: 'vip',
    })
    expect(Math.abs(token.expired_time - (now() + 30 * DAY_S))).toBeLessThan(60)
  })

  test('create --count creates keys with distinct names, one per line, to a file with mode 0600', async () => {
    const { stdout, exitCode, stderr } = await run('create', 'class', '--count', '4', '--unlimited', '--output', 'keys')
    expect({ stdout, exitCode, stderr }).toEqual({ stdout: '', exitCode: 0, stderr: 'Wrote 4 keys to keys.' })
    const keys = readFileSync(inFolder('keys'), 'utf8').trimEnd().split('\n')
    for (const key of keys) expect(key).toMatch(/^sk-\w{48}$/)
    expect(new Set(keys).size).toBe(4)
    expect(statSync(inFolder('keys')).mode & 0o777).toBe(0o600)
    const made = (await names('--search', 'class')).reverse()
    expect(made[0]).toBe('class')
    for (const name of made.slice(1)) expect(name).toMatch(/^class-\w{6}$/)
    expect(await run('create', 'class2', '--output', 'keys')).toMatchObject({ exitCode: 5, stdout: '' })
    expect(await run('create', 'a name of 24 characters.', '--count', '2')).toMatchObject({ exitCode: 2, stdout: '' })
    expect(await names('--search', 'class2')).toEqual([])
    expect(await json('create', 'pair', '--count', '2')).toMatchObject([{ name: 'pair' }, { unlimited_quota: false }])
  })

  test.each([
    ['--quota', '1e30'],
    ['--quota', '-3'],
    ['--quota', '0x10'],
    ['--quota', ' '],
    ['--quota', '1000000000000001'],
    ['--expires', '30'],
    ['--expires', '2020-01-01'],
    ['--expires', '2030-02-31'],
    ['--user', 'no-such-user', 3],
    ['--allow-ips', 'everywhere'],
    ['--allow-ips', ' '],
    ['--allow-ips-file', 'not-there', 1],
    ['--models', ''],
    ['--count', '0'],
    ['--count', '1001'],
    ['--group', 'no-such-group', 3],
  ])('create rejects %s %j and creates nothing', async (flag, value, expected = 2) => {
    const { stdout, exitCode } = await run('create', 'refused', String(flag), String(value))
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: expected })
    expect(await names('--search', 'refused')).toEqual([])
  })

  test('create rejects a file of addresses above 64 KB, also of characters with several bytes', async () => {
    writeFileSync(inFolder('long'), `# ${'\u6c49'.repeat(30_000)}\n10.0.0.0/8\n`)
    const { stderr, exitCode } = await run('create', 'refused', '--allow-ips-file', 'long')
    expect({ stderr, exitCode }).toMatchObject({ stderr: expect.stringContaining('too long'), exitCode: 2 })
  })

  test('a duplicate name is a conflict, an unknown token is not found, with the same texts on both targets', async () => {
    await json('create', 'taken')
    expect(await run('create', 'taken')).toEqual({
      stdout: '',
      stderr: 'error: you already have a token named taken. Choose another name, or delete that one first',
      exitCode: 5,
    })
    for (const words of [
      ['get', '999'],
      ['update', '999', '--name', 'x'],
      ['enable', '999'],
      ['delete', '999', '--yes'],
    ]) {
      const { stderr, exitCode } = await run(...words, '--json')
      expect(exitCode).toBe(3)
      expect(JSON.parse(stderr)).toEqual({
        error: { code: 'TOKEN_NOT_FOUND', message: 'Token 999 does not exist', id: 999 },
      })
    }
  })

  test('list searches by name and by key, with pages', async () => {
    const { key } = await json('create', 'found-a')
    await json('create', 'found-b')
    await json('create', 'other')
    expect(await names('--search', 'found')).toEqual(['found-b', 'found-a'])
    expect(await names('--search', 'found', '--limit', '1', '--page', '2')).toEqual(['found-a'])
    expect(await names('--key', key.slice(6, 30))).toEqual(['found-a'])
    const byKey = await world().run(['token', 'list', '--key-stdin', '--json'], { input: `${key}\n` })
    expect(JSON.parse(byKey.stdout)).toMatchObject({ items: [{ name: 'found-a' }], total: 1, page: 1, page_size: 20 })
    expect(await run('list', '--search', 'nothing-like-it')).toEqual({
      stdout: '',
      stderr: 'No tokens. Create one: tollgate token create <name>',
      exitCode: 0,
    })
    expect((await run('list', '--key', 'x', '--everybody')).exitCode).toBe(2)
    expect((await run('list', '--search', 'found', '--limit', '1')).stderr).toContain('Page 1 of 2, 2 total.')
  })

  test('root creates, lists, changes and deletes tokens of other users, whose keys are shown once', async () => {
    const hers = await json('create', 'hers', '--user', 'ann')
    expect(hers).toMatchObject({ user_id: 2, key: expect.stringMatching(/^sk-/) })
    expect((await json('list', '--user', 'ann')).items).toMatchObject([{ user_id: 2, username: 'ann' }])
    const id = String(hers.id)
    expect(await names('--user', '2')).toEqual(['hers'])
    expect(await names('--everybody', '--all')).toContain('hers')
    expect(await json('get', id, '--show-key')).toMatchObject({ name: 'hers', key: '' })
    expect(await json('update', id, '--quota', '7')).toMatchObject({ remain_quota: 7, user_id: 2, key: '' })
    expect(await json('disable', id)).toMatchObject({ status: 2 })
    expect((await run('usage', id)).stderr).toContain('another user')
    expect(await json('delete', id, '--yes')).toEqual({ deleted: [hers.id] })
    expect(await names('--user', 'ann')).toEqual([])
  })

  test('update changes the given fields, clears fields on request, and keeps the rest', async () => {
    const limits = [
      '--models',
      'gpt-4o',
      '--allow-ips',
      '10.0.0.1',
      '--group',
      'vip',
      '--quota',
      '5',
      '--expires',
      '1y',
    ]
    const { key: _, ...made } = await json('create', 'before', ...limits)
    const id = String(made.id)
    expect(await json('update', id, '--name', 'after')).toMatchObject({ ...made, name: 'after' })
    expect(await json('update', id, '--unlimited', '--expires', 'never')).toMatchObject({
      unlimited_quota: true,
      remain_quota: 5,
      expired_time: -1,
      model_limits: 'gpt-4o',
    })
    expect(await json('update', id, '--quota', '9')).toMatchObject({ unlimited_quota: false, remain_quota: 9 })
    expect(await json('update', id, '--all-models', '--all-addresses', '--owner-group')).toMatchObject({
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
    })
    expect((await run('update', id, '--models', 'o3')).stderr).toMatch(`Updated token ${id}, after.`)
    for (const wrong of [[], ['--all-models', '--models', 'x'], ['--unlimited', '--quota', '1'], ['--expires', '1']]) {
      expect((await run('update', id, ...wrong)).exitCode).toBe(2)
    }
    expect(await json('get', id)).toMatchObject({ model_limits: 'o3', remain_quota: 9 })
  })

  test('--store-responses off and on have their effect, at the creation and later', async () => {
    const { id, ...created } = await json('create', 'storing', '--store-responses', 'off')
    const update = async (value: string) =>
      (await json('update', String(id), '--store-responses', value)).store_responses

    expect(created.store_responses).toBe(false)
    expect([await update('on'), await update('off'), await update('off')]).toEqual([true, false, false])
  })

  test('enable and disable accept several: all or none, or with --keep-going the possible ones', async () => {
    const [one, two] = [await json('create', 'one'), await json('create', 'empty', '--quota', '0')]
    const ids = [String(one.id), String(two.id)]
    expect(await json('disable', ...ids)).toMatchObject([{ status: 2 }, { status: 2 }])
    expect(await run('enable', ...ids)).toMatchObject({ exitCode: 5, stdout: '' })
    expect(await json('get', String(one.id))).toMatchObject({ status: 2 })
    expect(await partly('enable', ...ids, '--keep-going')).toMatchObject([{ id: one.id, status: 1 }])
    expect(await json('disable', String(one.id))).toMatchObject({ id: one.id, status: 2 })
    expect((await run('enable', String(one.id))).stderr).toBe(`Enabled token ${one.id}, one.`)
  })

  test('delete needs --yes without a terminal, and deletes all or none', async () => {
    const [a, b] = [await json('create', 'gone-a'), await json('create', 'gone-b')]
    const unsure = await run('delete', String(a.id))
    expect(unsure).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') })
    const { exitCode, stderr } = await run('delete', String(a.id), '998', '999', '--yes')
    expect([exitCode, stderr.split('\n')]).toEqual([
      3,
      ['error: token 998 does not exist', 'error: token 999 does not exist'],
    ])
    expect(await names('--search', 'gone')).toHaveLength(2)
    expect(await json('delete', String(a.id), String(b.id), '--yes')).toEqual({ deleted: [a.id, b.id] })
    expect(await names('--search', 'gone')).toEqual([])
  })

  test('usage shows the remaining quota to the holder of a key, without signing in', async () => {
    const { id, key } = await json('create', 'used', '--quota', '1500000')
    const { TOLLGATE_TOKEN: _, ...env } = world().env as Record<string, string>
    const usage = (given: Record<string, string>, ...flags: string[]) =>
      world().run(['token', 'usage', ...flags], { env: { ...env, ...given } })
    const { stdout, exitCode } = await usage({ TOLLGATE_API_KEY: key })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^limit +\$3.00\nused +\$0.00\nleft +\$3.00\nexpires +never$/)
    const whole = { limit: 3, used: 0, left: 3, in_currency: true, access_until: 0 }
    expect(JSON.parse((await usage({ TOLLGATE_API_KEY: key }, '--json')).stdout)).toEqual(whole)
    expect(await json('usage', String(id))).toEqual(whole)
    const unknownKey = await world().run(['token', 'usage', '--key-stdin'], { env, input: `sk-${'x'.repeat(48)}` })
    expect(unknownKey).toMatchObject({ exitCode: 4, stdout: '', stderr: expect.stringMatching(/^error: .*invalid/i) })
    expect(await usage({})).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('TOLLGATE_API_KEY') })
    await json('update', String(id), '--unlimited')
    const chinese = await usage({ TOLLGATE_API_KEY: key, LANG: 'zh_CN.UTF-8' })
    expect(chinese.stdout.match(/无限/g)).toHaveLength(2)
    await json('update', String(id), '--quota', '0')
    expect(await usage({ TOLLGATE_API_KEY: key })).toMatchObject({ exitCode: 1, stdout: '' })
    await json('disable', String(id))
    expect(await usage({ TOLLGATE_API_KEY: key })).toMatchObject({ exitCode: 4, stdout: '' })
  })

  test('texts are Chinese in a Chinese locale', async () => {
    await json('create', 'chinese')
    const { stdout } = await run('list', '--search', 'chinese', '--language', 'zh')
    expect(stdout).toMatch(/^编号 +名称/)
  })
})
