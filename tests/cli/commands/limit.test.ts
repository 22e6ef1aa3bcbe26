import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { interrupted } from '../interrupted.ts'

describe.each(BACKINGS)('limit, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test('set, list, status and remove work on the limits of each user', async () => {
    const { run, json } = world()
    const made = await json('limit', 'set', 'user', '*', '--requests', '60', '--tokens', '1000', '--per', 'minute')
    expect(made).toMatchObject([
      { subject: 'user', subject_id: '*', measure: 'requests', period: 'minute', time_zone: '', amount: 60 },
      { measure: 'tokens', amount: 1000 },
    ])
    expect(await json('limit', 'list', '--subject', 'user')).toHaveLength(2)
    const status = await json('limit', 'status', '--subject', 'user', '--of', 'root')
    expect(status).toMatchObject([{ used: 0, remaining: 60 }, { remaining: 1000 }])
    expect((await run(['limit', 'status', '--subject', 'user', '--of', 'root'])).stdout).toContain('0%')

    expect((await run(['limit', 'remove', String(made[0].id)])).exitCode).toBe(2)
    expect(await json('limit', 'remove', String(made[0].id), '--yes')).toMatchObject({ id: made[0].id })
    expect((await run(['limit', 'remove', String(made[0].id), '--yes'])).exitCode).toBe(3)
  })

  test('a token is created and changed with limits, in dollars and days of a time zone', async () => {
    const { json } = world()
    const flags = [
      '--rpm',
      '60',
      '--tpm',
      '90000',
      '--concurrency',
      '4',
      '--daily-usd',
      '5',
      '--timezone',
      'Asia/Shanghai',
    ]
    const { id } = await json('token', 'create', `limited-${kind}`, ...flags)

    expect(await json('limit', 'list', '--subject', 'token', '--of', String(id))).toMatchObject([
      { measure: 'requests', period: 'minute', amount: 60, name: `limited-${kind}` },
      { measure: 'tokens', period: 'minute', amount: 90_000 },
      { measure: 'concurrent', period: 'none', amount: 4 },
      { measure: 'quota', period: 'day', amount: 2_500_000, time_zone: 'Asia/Shanghai' },
    ])

    await json('token', 'update', String(id), '--daily-usd', '7.5', '--weekly-usd', '20')
    const changed = await json('limit', 'list', '--subject', 'token', '--of', String(id))
    expect(changed.slice(3)).toMatchObject([
      { period: 'day', amount: 3_750_000, time_zone: 'Asia/Shanghai' },
      { period: 'week', amount: 10_000_000, time_zone: 'UTC' },
    ])
  })

  test.each([
    ['a contradiction', ['--daily-usd', '5', '--weekly-usd', '1'], 5],
    ['an unknown time zone', ['--daily-usd', '5', '--timezone', 'Mars/Olympus'], 2],
    ['a time zone without an amount', ['--timezone', 'UTC'], 2],
  ])('creates no token for %s', async (name, flags, exitCode) => {
    const { run, json } = world()
    expect(await run(['token', 'create', name, ...flags])).toMatchObject({ exitCode, stdout: '' })
    expect(await json('token', 'list', '--search', name)).toMatchObject({ total: 0 })
  })

  test('update changes nothing if a limit or another option is rejected', async () => {
    const { run, json } = world()
    const made = await json('token', 'create', `whole-${kind}`, '--weekly-usd', '1')
    const id = String(made.id)
    for (const [flags, exitCode] of [
      [['--daily-usd', '5', '--weekly-usd', '1'], 5],
      [['--daily-usd', '5'], 5],
      [['--daily-usd', '0.5', '--timezone', 'Mars/Olympus'], 2],
      [['--rpm', '5', '--timezone', 'Mars/Olympus'], 2],
    ] as const) {
      expect((await run(['token', 'update', id, '--name', 'renamed', ...flags])).exitCode).toBe(exitCode)
    }
    expect((await run(['token', 'update', id, '--name', 'x'.repeat(31), '--rpm', '5'])).exitCode).toBe(2)
    expect((await run(['token', 'update', '999', '--rpm', '5'])).exitCode).toBe(3)
    const group = ['--group', 'no-such', '--name', 'renamed']
    expect((await run(['token', 'update', id, ...group, '--rpm', '5'])).exitCode).toBe(3)
    const changed = await run(['token', 'update', id, ...group, '--daily-usd', '8', '--weekly-usd', '9'])
    expect(changed).toMatchObject({ exitCode: 3, stderr: expect.not.stringContaining('limits') })

    expect(await json('token', 'get', id)).toMatchObject({ name: `whole-${kind}` })
    expect(await json('limit', 'list', '--subject', 'token', '--of', id)).toMatchObject([
      { period: 'week', amount: 500_000, time_zone: 'UTC' },
    ])
  })

  test('update changes the token once, with the group and the limits', async () => {
    const { json } = world()
    // Only changes of other users' tokens are audited.
    await json('user', 'create', 'once')
    const { id } = await json('token', 'create', 'once', '--user', 'once')
    const changes = ['--group', 'vip', '--name', 'twice', '--rpm', '5']
    expect(await json('token', 'update', String(id), ...changes)).toMatchObject({ group: 'vip', name: 'twice' })
    expect(await json('limit', 'list', '--subject', 'token', '--of', String(id))).toMatchObject([{ amount: 5 }])
    const acts: { action: string }[] = await json('audit', 'list', '--object', `token:${id}`)
    expect(acts.filter(({ action }) => action === 'token.update')).toHaveLength(1)
  })

  test('keys that are created until Ctrl-C have their limits', async () => {
    const job = interrupted(world(), ['token', 'create', `many-${kind}`, '--count', '1000', '--rpm', '7'])
    await job.until((stdout) => stdout.split('\n').length > 3)
    const { exitCode, stdout } = await job.interrupt()
    expect(exitCode).toBe(130)

    const limits = await world().json('limit', 'list', '--subject', 'token')
    const limited = limits.filter(({ amount }: { amount: number }) => amount === 7)
    const { total } = await world().json('token', 'list', '--search', `many-${kind}`)
    expect(limited).toHaveLength(total)
    expect(total).toBeGreaterThanOrEqual(stdout.split('\n').length)
  })

  describe('while limits cannot be stored', () => {
    const raise = "BEGIN SELECT RAISE(ABORT, 'no room'); END"
    const execute = (sql: string) => world().inside(({ db }) => db.transaction((trx) => trx.raw(sql)))
    beforeEach(() => execute(`CREATE TRIGGER full_limits BEFORE INSERT ON limits ${raise}`))
    afterEach(() => execute('DROP TRIGGER full_limits'))

    test('a new key is not left behind, and not shown', async () => {
      const { run, json } = world()
      const failed = await run(['token', 'create', `without-${kind}`, '--rpm', '8'])
      expect(failed).toMatchObject({ stdout: '' })
      expect(failed.exitCode).not.toBe(0)
      expect((await json('token', 'list', '--search', `without-${kind}`)).items).toEqual([])
    })

    // A server's failures are tried again for seconds.
    if (kind === 'database')
      test('a new key that cannot be deleted is named', async () => {
        const { run, json } = world()
        await json('team', 'create', `full-${kind}`)
        await execute(`CREATE TRIGGER full_tokens BEFORE UPDATE OF deleted_at ON tokens ${raise}`)
        const alone = await run(['token', 'create', `stuck-${kind}`, '--rpm', '8'])
        const ofTeam = await run(['token', 'create', 'stuck', '--team', `full-${kind}`, '--rpm', '8'])
        const asJson = await run(['token', 'create', `stuck2-${kind}`, '--rpm', '8', '--json'])
        await execute('DROP TRIGGER full_tokens')

        expect(alone.stderr).toMatch(/Token \d+ may have no limits. Delete it: tollgate token delete \d+/)
        expect(ofTeam.stderr).toMatch(/Delete it: tollgate team delete-key \d+ \d+/)
        expect(JSON.parse(asJson.stderr)).toMatchObject({ error: { unlimited_token: expect.any(Number) } })
      })

    test('a changed key keeps its group', async () => {
      const { run, json } = world()
      const { id } = await json('token', 'create', `grouped-${kind}`)
      const words = ['token', 'update', String(id), '--group', 'vip', '--name', 'renamed', '--rpm', '9']
      expect((await run(words)).exitCode).not.toBe(0)
      expect(await json('token', 'get', String(id))).toMatchObject({ group: '', name: `grouped-${kind}` })
    })
  })

  test('update is not compared with the default of all tokens', async () => {
    const { json } = world()
    const { id } = await json('token', 'create', `default-${kind}`)
    const [each] = await json('limit', 'set', 'token', '*', '--quota', '$1', '--per', 'week', '--timezone', 'UTC')
    await json('token', 'update', String(id), '--daily-usd', '5')
    await json('limit', 'remove', String(each.id), '--yes')
    expect(await json('limit', 'list', '--subject', 'token', '--of', String(id))).toMatchObject([{ amount: 2_500_000 }])
  })

  test('update keeps the time zone and the handling of each limit that it changes', async () => {
    const { run, json } = world()
    const made = await json('token', 'create', `kept-${kind}`, '--daily-usd', '5', '--timezone', 'Asia/Shanghai')
    const id = String(made.id)
    const limits = () => json('limit', 'list', '--subject', 'token', '--of', id)
    await json('limit', 'set', 'token', id, '--concurrency', '2', '--queue', '5s')

    await json('token', 'update', id, '--daily-usd', '0.015', '--concurrency', '3', '--monthly-usd', '9')
    expect(await limits()).toMatchObject([
      { period: 'day', amount: 7500, time_zone: 'Asia/Shanghai', action: 'reject' },
      { measure: 'concurrent', amount: 3, action: 'queue', wait_seconds: 5 },
      { period: 'month', time_zone: 'UTC' },
    ])

    await json('token', 'update', id, '--timezone', 'Europe/Berlin')
    expect(await limits()).toMatchObject([
      { period: 'day', amount: 7500, time_zone: 'Europe/Berlin' },
      { measure: 'concurrent', amount: 3, time_zone: '' },
      { period: 'month', amount: 4_500_000, time_zone: 'Europe/Berlin' },
    ])
    const { id: bare } = await json('token', 'create', `bare-${kind}`, '--rpm', '5')
    const refused = await run(['token', 'update', String(bare), '--name', 'renamed', '--timezone', 'UTC'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--timezone needs') })
    expect(await json('token', 'get', String(bare))).toMatchObject({ name: `bare-${kind}` })
  })

  test.each(['list', 'status'])('%s rejects --of without --subject', async (verb) => {
    const refused = await world().run(['limit', verb, '--of', '1'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--of needs --subject') })
  })

  test('subjects are given by name or id', async () => {
    const { run, json } = world()
    const { id: token } = await json('token', 'create', `ci-${kind}`)
    await json('token', 'create', `ci-${kind}-2`)
    const channel = await json(
      'channel',
      'add',
      '--type',
      'openai',
      '--name',
      `acme-${kind}`,
      '--key',
      'sk-a\nsk-b',
      '--multi-key',
      'random',
      '--models',
      'gpt-4o',
    )
    const team = await json('team', 'create', `lab-${kind}`)
    const set = async (subject: string, id: string) =>
      (await json('limit', 'set', subject, id, '--requests', '9', '--per', 'hour'))[0]

    expect(await set('token', `ci-${kind}`)).toMatchObject({ subject_id: String(token) })
    expect(await set('channel', `acme-${kind}`)).toMatchObject({ subject_id: String(channel.id) })
    const { subject_id: key } = await set('channel-key', `acme-${kind}/2`)
    expect(key).toMatch(new RegExp(`^${channel.id}/[0-9a-f]{12}$`))
    expect(await set('channel-key', key)).toMatchObject({ subject_id: key })
    expect(await json('limit', 'list', '--subject', 'channel-key', '--of', `acme-${kind}/2`)).toHaveLength(1)
    expect(await json('limit', 'status', '--subject', 'channel-key', '--of', `acme-${kind}/2`)).toHaveLength(1)
    for (const member of [`lab-${kind}/root`, `${team.id}/root`, `lab-${kind}/1`, `${team.id}/1`]) {
      expect(await set('member', member)).toMatchObject({ subject_id: `${team.id}/1` })
    }
    expect(await json('limit', 'status', '--subject', 'token', '--of', `ci-${kind}`)).toMatchObject([{ used: 0 }])

    for (const id of [`acme-${kind}/3`, `acme-${kind}/0123456789ab`]) {
      const refused = await run(['limit', 'set', 'channel-key', id, '--requests', '9', '--per', 'hour'])
      expect(refused).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('is not one of them') })
    }
    for (const [subject, id] of [
      ['token', 'ci'],
      ['channel', 'acme'],
      ['channel-key', 'acme/0a1b2c'],
      ['member', 'nowhere/root'],
      ['member', `lab-${kind}/absent`],
    ] as const) {
      expect((await run(['limit', 'list', '--subject', subject, '--of', id])).exitCode).toBe(3)
    }
  })

  test('a name of several tokens is rejected with their ids', async () => {
    const { inside, run, json } = world()
    const name = `twin-${kind}`
    const first = await json('token', 'create', name)
    const second = await inside(({ tokens }, root) => tokens.create(root, { name }, { uniqueName: false }))
    const refused = await run(['limit', 'set', 'token', name, '--requests', '1', '--per', 'day'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`${first.id}, ${second.id}`) })
  })

  test('amounts that differ by less than a cent look different', async () => {
    const { run, json } = world()
    const made = await json('token', 'create', `cents-${kind}`, '--daily-usd', '0.01', '--weekly-usd', '0.015')
    const of = ['--subject', 'token', '--of', String(made.id)]
    const list = (await run(['limit', 'list', ...of])).stdout
    expect(list).toContain('5000 ($0.010)')
    expect(list).toContain('7500 ($0.015)')
    expect((await run(['limit', 'status', ...of])).stdout).toContain('7500 ($0.015)')
  })

  test.each([
    [['--requests', '0', '--per', 'minute'], 2, /--requests/],
    [['--requests', '-5', '--per', 'minute'], 2, /--requests|missing value|whole number/],
    [['--requests', '5'], 2, /--per/],
    [['--concurrency', '5', '--timezone', 'UTC'], 2, /--per and --timezone/],
    [['--requests', '5', '--per', 'day', '--timezone', 'Mars/Phobos'], 2, /Mars\/Phobos/],
    [['--requests', '5', '--per', 'day', '--queue', '1h'], 2, /wait_seconds|300/],
  ])('rejects %j', async (flags, exitCode, message) => {
    const refused = await world().run(['limit', 'set', 'group', '*', ...flags])
    expect(refused).toMatchObject({ exitCode, stderr: expect.stringMatching(message) })
  })

  test('rejects a range of addresses', async () => {
    const refused = await world().run(['limit', 'set', 'address', '10.0.0.0/8', '--requests', '1', '--per', 'day'])
    expect(refused).toMatchObject({ exitCode: 2, stderr: 'error: invalid address: 10.0.0.0/8' })
  })

  test('rejects a minute limit above the day limit', async () => {
    const { run, json } = world()
    await json('limit', 'set', 'model', 'gpt-4o', '--requests', '100', '--per', 'day')
    const refused = await run(['limit', 'set', 'model', 'gpt-4o', '--requests', '200', '--per', 'minute'])
    expect(refused).toMatchObject({
      exitCode: 5,
      stderr: expect.stringMatching(/200 requests per minute.*100 per day/),
    })
    expect((await run(['limit', 'set', 'token', '999', '--requests', '1', '--per', 'day'])).exitCode).toBe(3)
  })
})
