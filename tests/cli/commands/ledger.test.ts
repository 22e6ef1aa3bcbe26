import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { relayed } from '../support.ts'

describe.each(BACKINGS)('ledger and job, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test('verify says equal for all users, and names who differs with exit 1', async () => {
    await world().inside(async (toolkit, root) => {
      const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'password1', quota: 10_000 })
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

  test('job list shows the regular work of the gateways', async () => {
    await world().inside(async ({ jobs, leases }) => {
      await leases.take('of-a-test', 'web1/42/abc')
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
