import { describe, expect, test } from 'vitest'
import { VERSION } from '../../../core/version.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

const HOUR = 3600
/** Two hours of one day and one of the day before, at noon by the clock of this machine. */
const NOON = new Date(2026, 0, 21, 12).getTime() / 1000

describe.each(BACKINGS)('stat and status, on a %s', (kind) => {
  const world = shared(async () => {
    const opened = await openBacking(kind)
    await opened.inside(async ({ db, accounts }, root) => {
      const ann = await accounts.create(root, { username: 'ann', password: 'correct horse', quota: 0 })
      const row = (username: string, model_name: string, created_at: number, quota: number) => ({
        user_id: username === 'ann' ? ann.id : root.id,
        username,
        model_name,
        created_at,
        quota,
        count: 1,
        token_used: 10,
      })
      const rows = [
        row('ann', 'gpt-4o', NOON, 300),
        row('ann', 'o3', NOON + HOUR, 100),
        row('root', 'gpt-4o', NOON + HOUR, 500),
        row('root', 'gpt-4o', NOON - 24 * HOUR, 100),
      ]
      await db.transaction(async (trx) => {
        await trx('quota_data').insert(rows)
        await trx.raw(`INSERT INTO model_hours (created_at, model_name, count, quota, token_used)
          SELECT created_at, model_name, SUM(count), SUM(quota), SUM(token_used) FROM quota_data GROUP BY 1, 2`)
      })
    })
    return opened
  })
  const range = ['--since', '2026-01-20', '--until', '2026-01-22']
  const used = async (...flags: string[]) => {
    const { rows, total } = await world().json('stat', ...range, ...flags)
    return [rows.map(({ name, quota }: { name: string; quota: number }) => [name, quota]), total.quota]
  }

  test('stat sums by model, hour, day and week, of all users or one', async () => {
    expect(await used()).toEqual([
      [
        ['gpt-4o', 900],
        ['o3', 100],
      ],
      1000,
    ])
    expect(await used('--by', 'day')).toEqual([
      [
        ['2026-01-20', 100],
        ['2026-01-21', 900],
      ],
      1000,
    ])
    expect((await used('--by', 'hour', '--user', 'ann'))[0]).toEqual([
      ['2026-01-21T12:00', 300],
      ['2026-01-21T13:00', 100],
    ])
    expect(await used('--by', 'week')).toEqual([[['2026-01-19', 1000]], 1000])
    expect(await world().run(['stat', '--since', '2020-01-01', '--until', '2020-01-02'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'No usage.',
    })
    expect((await world().run(['stat', '--by', 'month'])).exitCode).toBe(2)
  })

  test('stat rejects --columns for JSON, which has all fields', async () => {
    const refused = await world().run(['stat', '--json', '--columns', 'cost'])
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('--columns') })
  })

  test('stat draws bars only on a terminal, with a total', async () => {
    const plain = await world().run(['stat', ...range])
    expect(plain.stdout).toMatch(/^gpt-4o +3 +30 +900 \(\$0\.0018\)$/m)
    expect(plain.stderr).toBe('Total: 4 requests, 40 tokens, 1000 ($0.002)')
    expect((await world().run(['stat', ...range], { columns: 120 })).stdout).toMatch(/█{18} 90%/)
  })

  test('status shows the gateway and the signed-in user', async () => {
    expect(await world().json('status')).toMatchObject({
      kind,
      version: VERSION,
      database: 'answers',
      user: { username: 'root', role: 100 },
    })
    expect((await world().run(['status'])).stdout).toMatch(/^you are +root \(1\), root$/m)
  })

  test("status prints the operator's notice, without control characters", async () => {
    expect(await world().run(['status', '--notice'])).toMatchObject({ stdout: '', stderr: 'No content yet.' })
    await world().inside(({ options }, root) => options.set(root, 'Notice', '# Closed\non \u001b[31mMonday'))
    expect((await world().run(['status', '--notice'])).stdout).toBe('# Closed\non  [31mMonday')
    expect(await world().json('status', '--about')).toEqual({ about: '' })
    expect((await world().run(['status', '--about', '--home'])).exitCode).toBe(2)
  })
})

test('a common user of a server gets only their own numbers, of any range, and the output names the user', async () => {
  const world = await openBacking('server')
  const token = await world.inside(async ({ accounts, accessTokens, db }, root) => {
    const ann = await accounts.create(root, { username: 'ann', password: 'correct horse', quota: 0 })
    const row = { model_name: 'o3', created_at: NOON, count: 1, token_used: 1 }
    await db.transaction((trx) =>
      trx('quota_data').insert([
        { ...row, user_id: ann.id, username: 'ann', quota: 7 },
        { ...row, user_id: root.id, username: 'root', quota: 9 },
      ]),
    )
    return accessTokens.create(ann)
  })
  const env = { ...world.env, TOLLGATE_TOKEN: token }
  const long = await world.run(['stat', '--since', '2025-11-01', '--until', '2026-02-01', '--json'], { env })
  expect(JSON.parse(long.stdout)).toMatchObject({ total: { quota: 7 } })
  expect((await world.run(['stat', '--user', 'root'], { env })).exitCode).toBe(4)
  const status = await world.run(['status', '--json'], { env })
  expect(JSON.parse(status.stdout)).toMatchObject({ database: 'unknown', user: { username: 'ann', role: 1 } })
})
