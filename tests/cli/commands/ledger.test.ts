import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { relayed } from '../support.ts'

describe.each(BACKINGS)('ledger and job, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test('verify confirms equal balances, and lists differing users with exit code 1', async () => {
    await world().inside(async (toolkit, root) => {
      const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'correct horse', quota: 10_000 })
      await relayed(toolkit, ann)
    })
    expect(await world().run(['ledger', 'verify'])).toMatchObject({
      exitCode: 0,
      stdout: 'equal for 2 users: entries 100010000 - charges 220 = 100009780, balances 100009780',
    })
    await world().inside(({ db }) =>
      db.transaction((trx) => trx('users').where({ username: 'ann' }).increment('quota', 5)),
    )
    const { stdout, exitCode } = await world().run(['ledger', 'verify'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/ann +9785 +9780 +5/)
    expect(stdout).toMatch(/^NOT equal for 1 of 2 users: /m)
    const json = await world().run(['ledger', 'verify', '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ equal: false, differences: [{ username: 'ann', quota: 9785 }] })
  })

  test('job list shows the background jobs of the gateways', async () => {
    await world().inside(async ({ jobs, leases }) => {
      await leases.acquire('of-a-test', 'web1/42/abc')
      await jobs.register('of-a-test', [{ name: 'a-test', everyS: 30 }])
      await jobs.begin({ name: 'a-test', holder: 'web1/42/abc/1' })
      await jobs.end({ name: 'a-test', holder: 'web1/42/abc/1', outcome: 'done' })
    })
    const { stdout } = await world().run(['job', 'list'])
    expect(stdout).toMatch(/^a-test +30 s +\S+Z +\S+Z +done +web1\/42\/abc$/m)
    const listed = await world().json('job', 'list')
    expect(listed).toContainEqual(expect.objectContaining({ name: 'a-test', outcome: 'done', running: false }))
    expect((await world().run(['job', 'list', '--columns', 'name,outcome'])).stdout).toMatch(/^a-test +done$/m)
  })
})

describe('ledger, on this machine', () => {
  const world = shared(() => openBacking('database'))

  test('repair shows the corrections, asks for confirmation, applies them once, and reports them', async () => {
    await world().inside(async (toolkit, root) => {
      const bea = await toolkit.accounts.create(root, { username: 'bea', password: 'correct horse', quota: 10_000 })
      await relayed(toolkit, bea)
    })
    expect(await world().run(['ledger', 'repair'])).toMatchObject({ exitCode: 0, stderr: 'Nothing to repair.' })
    await world().inside(({ db }) =>
      db.transaction((trx) => trx('users').where({ username: 'bea' }).increment('quota', 5).increment('used_quota', 7)),
    )
    expect((await world().run(['ledger', 'verify'])).stdout).toMatch(/^users +2 +used_quota +227 +220 +2$/m)

    const unconfirmed = await world().run(['ledger', 'repair'])
    expect(unconfirmed).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') })
    const repaired = await world().json('ledger', 'repair', '--yes')
    expect(repaired).toMatchObject([
      { table: 'users', what: 'used_quota' },
      { table: 'users', what: 'quota', found: 9785, expected: 9780 },
    ])
    expect((await world().run(['ledger', 'verify'])).exitCode).toBe(0)
    expect(await world().json('ledger', 'repair', '--yes')).toEqual([])
  })

  test('reconcile compares an export with the log, with exit code 1 if they differ', async () => {
    await world().inside(async (toolkit, root) => relayed(toolkit, { id: root.id, username: 'root' }))
    const day = new Date().toISOString().slice(0, 10)
    const [row] = await world().inside(({ db }) => db.reader('logs').where({ type: 2, user_id: 1 }))
    const [logged] = await world().inside(({ db }) =>
      db
        .reader('logs')
        .where({ type: 2, model_name: row.model_name })
        .sum({ input: 'prompt_tokens', output: 'completion_tokens' }),
    )
    const csv = (input: number) =>
      `start_time_iso,model,input_tokens,output_tokens\n${day},${row.model_name},${input},${logged?.output}\n`

    const equal = await world().run(['ledger', 'reconcile', '-', '--json'], { input: csv(Number(logged?.input)) })
    expect(equal.exitCode).toBe(0)
    expect(JSON.parse(equal.stdout)).toMatchObject([{ day, difference: 0 }])
    const more = await world().run(['ledger', 'reconcile', '-'], { input: csv(Number(logged?.input) * 2) })
    expect(more).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('1 of 1 rows differs by more than 1 %.'),
    })
    const unknown = await world().run(['ledger', 'reconcile', '-'], { input: 'a,b\n1,2\n' })
    expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Anthropic: usage_date_utc') })
    const costs = `usage_date_utc,model,cost_usd\n${day},${row.model_name},0.5\n`
    const priced = await world().run(['ledger', 'reconcile', '-'], { input: costs })
    expect(priced).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/COST \(\$\) +CHARGED \(\$\)/) })
    for (const [input, flags, message] of [
      [costs, ['--time-zone', 'Moon/Base'], 'unknown time zone Moon/Base'],
      ['usage_date_utc,model,cost_usd\n', [], 'stdin is empty'],
      [`${costs}${day},"m\n`, [], 'line 3: unclosed quote'],
      [`${costs}${day},m\n`, [], 'line 3: has 2 cells, but the first line has 3'],
    ] as const) {
      const rejected = await world().run(['ledger', 'reconcile', '-', ...flags], { input })
      expect(rejected).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) })
    }
    expect(await world().run(['ledger', 'reconcile', 'none.csv'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('cannot read none.csv'),
    })
  })

  test('repair also reports what it cannot correct, with exit code 1', async () => {
    await world().inside(async (toolkit, root) => {
      const cleo = await toolkit.accounts.create(root, { username: 'cleo', password: 'correct horse', quota: 10_000 })
      await relayed(toolkit, cleo)
      await toolkit.db.transaction((trx) => trx('logs').where({ username: 'cleo', type: 2 }).increment('quota', 5))
    })

    const { exitCode, stdout, stderr } = await world().run(['ledger', 'repair', '--yes'])

    expect(stdout).toMatch(/^logs +\d+ +quota of a charge +225 +220 +none: check it manually$/m)
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'The ledger balances.' })
  })
})
