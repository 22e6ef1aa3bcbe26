import { describe, expect, test } from 'vitest'
import { displayWidth } from '../../../cli/output/display-width.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe.each(BACKINGS)('user, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))
  const signsIn = (username: string, password: string) =>
    world().inside((toolkit) => toolkit.accounts.login({ username, password }))

  test('create sets role, balance and group', async () => {
    const flags = ['--password', 'correct horse', '--role', 'admin', '--quota', '1000000000000', '--group', 'vip']
    const made = await world().json('user', 'create', 'boss', '--display-name', 'The Boss', ...flags)
    expect(made).toEqual({
      ...(await world().json('user', 'get', 'boss')),
      username: 'boss',
      display_name: 'The Boss',
      password: '',
      access_token: null,
      role: 10,
      quota: 1_000_000_000_000,
      group: 'vip',
    })
    await signsIn('boss', 'correct horse')
  })

  test('create generates a password and prints it alone on stdout, or reads one from stdin', async () => {
    const { stdout, stderr } = await world().run(['user', 'create', 'ann'])
    expect(stderr).toMatch(/^Created user \d+, ann\. Password, shown only once:$/)
    await signsIn('ann', stdout)
    const { password } = await world().json('user', 'create', 'bob')
    await signsIn('bob', password)
    await world().run(['user', 'create', 'carl', '--password-stdin'], { input: 'from-stdin\n' })
    await signsIn('carl', 'from-stdin')
  })

  test.each([
    [['new1', '--password', 'short'], 2, /password/],
    [['a-name-that-is-too-long'], 2, /username/],
    [['new1', '--quota', '-1'], 2, /--quota/],
    [['new1', '--role', 'root'], 2, /--role must be one of common, admin/],
    [['a\u001b[2J'], 2, /visible text/],
    [['root'], 5, /root is taken/],
  ])('create rejects %j with exit code %i, and creates no user', async (words, expected, named) => {
    const before = (await world().json('user', 'list')).total
    const { stdout, stderr, exitCode } = await world().run(['user', 'create', ...words])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: expected })
    expect(stderr).toMatch(named)
    expect(stderr).not.toContain('\u001b')
    expect((await world().json('user', 'list')).total).toBe(before)
  })

  test('list and search filter by text, group, role and status', async () => {
    await world().json('group', 'set', 'listed', '--ratio', '1')
    await world().json('user', 'create', 'lister1', '--group', 'listed', '--quota', '750000')
    await world().json('user', 'create', 'lister2', '--group', 'listed', '--role', 'admin')
    await world().json('user', 'create', 'lister3', '--group', 'listed')
    await world().json('user', 'create', 'lister4', '--group', 'listed')
    await world().run(['user', 'disable', 'lister3'])
    await world().run(['user', 'delete', 'lister4', '--yes'])
    const names = async (...words: string[]) => {
      const { items } = await world().json('user', ...words, '--group', 'listed')
      return items.map(({ username }: { username: string }) => username).sort()
    }
    expect(await names('list')).toEqual(['lister1', 'lister2', 'lister3', 'lister4'])
    expect(await names('list', '--role', 'admin')).toEqual(['lister2'])
    expect(await names('list', '--status', 'disabled')).toEqual(['lister3'])
    expect(await names('list', '--status', 'enabled', '--role', 'common')).toEqual(['lister1'])
    expect(await names('list', '--status', 'deleted')).toEqual(['lister4'])
    expect(await names('search', 'LISTER1')).toEqual(['lister1'])

    const { stdout } = await world().run(['user', 'list', '--search', 'lister1'])
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stdout).toMatch(/lister1 +lister1 +common +enabled +listed +750000 \(\$1\.50\)/)
    expect(await world().run(['user', 'search', 'no-such-user'])).toEqual({
      stdout: '',
      stderr: 'No matching users.',
      exitCode: 0,
    })
    const { stderr, exitCode } = await world().run(['user', 'list', '--status', 'asleep'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("--status must be one of enabled, disabled, deleted, not 'asleep'")
  })

  test('get finds by id and by full name, never by a part, with the same texts on both targets', async () => {
    const { id } = await world().json('user', 'create', 'whole')
    expect(await world().json('user', 'get', String(id))).toMatchObject({ username: 'whole' })
    expect((await world().run(['user', 'get', 'whole'])).stdout).toMatch(/^username +whole$/m)
    for (const name of ['whol', 'Whole', '999999', '-1']) {
      const { stdout, exitCode } = await world().run(['user', 'get', '--', name])
      expect({ name, stdout, exitCode }).toEqual({ name, stdout: '', exitCode: 3 })
    }
    const { stderr } = await world().run(['user', 'get', '999999', '--json'])
    expect(JSON.parse(stderr)).toEqual({
      error: { code: 'USER_NOT_FOUND', message: expect.any(String), id: 999_999 },
    })
  })

  test('update changes the given fields, and keeps the rest', async () => {
    const before = await world().json('user', 'create', 'changing', '--quota', '7')
    const flags = ['--username', 'changed', '--display-name', 'Changed', '--group', 'svip', '--password-stdin']
    const { stderr, exitCode } = await world().run(['user', 'update', 'changing', ...flags], { input: 'another-one' })
    expect({ stderr, exitCode }).toEqual({ stderr: `Updated user ${before.id}, changed.`, exitCode: 0 })
    const expected = { ...before, username: 'changed', display_name: 'Changed', group: 'svip', password: '' }
    expect(await world().json('user', 'get', 'changed')).toEqual(expected)
    await signsIn('changed', 'another-one')
    expect(await world().json('user', 'update', 'changed', '--quota', '9')).toEqual({ ...expected, quota: 9 })
    expect((await world().run(['user', 'update', 'changed'])).exitCode).toBe(2)
    expect((await world().run(['user', 'update', 'changed', '--username', 'root'])).exitCode).toBe(5)
  })

  test('set-quota sets, adds and subtracts a balance, never below zero', async () => {
    const { id } = await world().json('user', 'create', 'rich', '--quota', '100')
    const { stderr } = await world().run(['user', 'set-quota', 'rich', '500000'])
    expect(stderr).toBe(`User ${id}, rich, now has 500000 ($1.00).`)
    expect(await world().json('user', 'set-quota', 'rich', '+250')).toMatchObject({ quota: 500_250 })
    expect(await world().json('user', 'set-quota', 'rich', '-50')).toMatchObject({ quota: 500_200 })
    const once = ['user', 'set-quota', 'rich', '-200', '--idempotency-key', 'invoice-17']
    expect(await world().json(...once)).toMatchObject({ quota: 500_000 })
    expect(await world().json(...once)).toMatchObject({ quota: 500_000 })
    const other = await world().run(['user', 'set-quota', 'rich', '+200', '--idempotency-key', 'invoice-17'])
    expect(other).toMatchObject({ exitCode: 5, stderr: expect.stringContaining('invoice-17') })
    const whole = await world().run(['user', 'set-quota', 'rich', '200', '--idempotency-key', 'invoice-18'])
    expect(whole).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('+n or -n') })
    expect(await world().json('user', 'set-quota', 'rich', '+200')).toMatchObject({ quota: 500_200 })
    for (const amount of ['-500201', 'much', '1.5', '', '+', '1e3', '99999999999999999']) {
      expect((await world().run(['user', 'set-quota', 'rich', amount])).exitCode).toBe(2)
    }
    expect(await world().json('user', 'get', 'rich')).toMatchObject({ quota: 500_200 })
    expect(await world().inside((toolkit) => toolkit.ledger.verify())).toMatchObject({
      equal: true,
    })
  })

  test('password reads one from stdin, or generates and prints one', async () => {
    await world().json('user', 'create', 'forgot')
    await world().run(['user', 'password', 'forgot', '--password-stdin'], { input: 'remembered\n' })
    await signsIn('forgot', 'remembered')
    const { stdout } = await world().run(['user', 'password', 'forgot', '--generate'])
    await signsIn('forgot', stdout)
    for (const [words, input] of [
      [['--password-stdin'], 'short'],
      [['--password-stdin'], ''],
      [[], ''],
      [['--generate', '--password-stdin'], 'long-enough'],
    ] as const) {
      expect((await world().run(['user', 'password', 'forgot', ...words], { input })).exitCode).toBe(2)
    }
    await signsIn('forgot', stdout)
  })

  test('several users are enabled, disabled, promoted and demoted, none if one is unknown', async () => {
    const ids: number[] = []
    for (const name of ['many1', 'many2']) ids.push((await world().json('user', 'create', name)).id)
    const { stdout, stderr, exitCode } = await world().run(['user', 'disable', 'many1', 'gone1', 'many2', 'gone2'])
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 3 })
    expect(stderr.split('\n').sort()).toEqual(['error: user gone1 does not exist', 'error: user gone2 does not exist'])
    expect(await world().json('user', 'get', 'many1')).toMatchObject({ status: 1 })

    const some = await world().run(['user', 'disable', 'many1', 'gone1', 'many2', '--keep-going'])
    expect(some.exitCode).toBe(3)
    expect(some.stderr.split('\n')).toEqual([
      'error: user gone1 does not exist',
      `User ${ids[0]}, many1: disabled.`,
      `User ${ids[1]}, many2: disabled.`,
    ])
    const twoNames = ['many1', String(ids[1]), String(ids[0])]
    expect(await world().json('user', 'enable', ...twoNames)).toMatchObject([
      { username: 'many1', status: 1 },
      { username: 'many2', status: 1 },
    ])
    expect((await world().run(['user', 'promote', 'many1'])).stderr).toBe(`User ${ids[0]}, many1: admin.`)
    expect((await world().run(['user', 'promote', 'many1'])).exitCode).toBe(5)
    expect((await world().run(['user', 'demote', 'many1'])).stderr).toBe(`User ${ids[0]}, many1: common.`)
    expect((await world().run(['user', 'disable', 'root'])).exitCode).toBe(4)

    // What core would refuse is known before the first act.
    for (const words of [
      ['disable', 'many1', 'root'],
      ['delete', 'many1', 'root', 'many2', '--yes'],
      ['delete', 'many1', 'root', '--for-good', '--yes'],
      ['demote', 'many1', 'many2'],
    ]) {
      expect((await world().run(['user', ...words])).exitCode).toBeGreaterThan(0)
    }
    expect(await world().json('user', 'get', 'many1')).toMatchObject({ username: 'many1', status: 1 })
    const twice = await world().run(['user', 'disable', 'many1', String(ids[0])])
    expect(twice.stderr).toBe(`User ${ids[0]}, many1: disabled.`)
  })

  test('delete asks for confirmation, and reserves the name; permanent deletion frees it', async () => {
    const { id } = await world().json('user', 'create', 'leaver')
    expect((await world().run(['user', 'delete', 'leaver'])).exitCode).toBe(2)
    expect(await world().json('user', 'delete', 'leaver', '--yes')).toEqual({ deleted: [id] })
    expect((await world().run(['user', 'get', 'leaver'])).exitCode).toBe(3)
    expect((await world().run(['user', 'create', 'leaver'])).exitCode).toBe(5)
    const { stderr } = await world().run(['user', 'delete', String(id), '--for-good', '--yes'])
    expect(stderr).toBe(`Deleted user ${id}, leaver.`)
    const again = await world().json('user', 'create', 'leaver')
    const twice = ['user', 'delete', 'leaver', String(again.id), '--for-good', '--yes']
    expect(await world().run(twice)).toMatchObject({ stderr: `Deleted user ${again.id}, leaver.`, exitCode: 0 })
  })

  test('a list fits its terminal and names hidden columns; a pipe gets all of them; JSON has one order', async () => {
    const { run } = world()
    for (const columns of [40, 80]) {
      for (const noun of ['user', 'channel', 'token', 'redemption', 'log']) {
        if (noun === 'token') await run(['token', 'create', `fit${columns}`])
        const { stdout, stderr } = await run(['--no-color', noun, 'list'], { columns })
        for (const line of stdout.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
        if (noun === 'user') expect(stderr).toMatch(/^Hidden columns: .*requests.*; show them with --columns/)
      }
    }
    expect((await run(['user', 'list'])).stderr).not.toContain('Hidden')
    const { stdout } = await run(['user', 'get', 'root', '--json'])
    expect(Object.keys(JSON.parse(stdout)).slice(0, 4)).toEqual(['id', 'username', 'DeletedAt', 'access_token'])
  })

  test('columns are validated also without rows, and rejected with --json; writing to a file is reported', async () => {
    const { run, json } = world()
    const none = ['user', 'list', '--search', 'no-such-user']
    for (const flag of ['--columns', '--sort']) {
      expect((await run([...none, flag, 'usernam'])).exitCode).toBe(2)
      expect((await run([...none, flag, 'no-such'])).exitCode).toBe(2)
      expect((await run([...none, flag, 'aff_code'])).exitCode).toBe(0)
    }
    const refused = await run(['user', 'list', '--columns', 'id', '--json'])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('jq')
    expect(await json('user', 'list', '--search', 'root', '--output', 'one.csv')).toEqual({ file: 'one.csv', rows: 1 })
  })

  test('tables and errors are Chinese in a Chinese locale', async () => {
    const { run } = world()
    const { stdout } = await run(['user', 'list', '--search', 'root', '--language', 'zh'])
    expect(stdout).toContain('超级管理员')
    expect(stdout).toContain('已启用')
    expect((await run(['user', 'get', 'no-such-user', '--language', 'zh'])).stderr).toMatch(/^错误：/)
  })
})
