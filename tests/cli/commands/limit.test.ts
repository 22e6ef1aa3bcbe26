import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

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
      { period: 'day', amount: 3_750_000, time_zone: 'UTC' },
      { period: 'week', amount: 10_000_000, time_zone: 'UTC' },
    ])
  })

  test.each([
    [['--requests', '0', '--per', 'minute'], 2, /--requests/],
    [['--requests', '-5', '--per', 'minute'], 2, /--requests|argument missing|whole number/],
    [['--requests', '5'], 2, /--per/],
    [['--concurrency', '5', '--timezone', 'UTC'], 2, /--per and --timezone/],
    [['--requests', '5', '--per', 'day', '--timezone', 'Mars/Phobos'], 2, /Mars\/Phobos/],
    [['--requests', '5', '--per', 'day', '--queue', '1h'], 2, /wait_seconds|300/],
  ])('rejects %j', async (flags, exitCode, message) => {
    const refused = await world().run(['limit', 'set', 'group', '*', ...flags])
    expect(refused).toMatchObject({ exitCode, stderr: expect.stringMatching(message) })
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
