import { expect, test } from 'vitest'
import { createWorld, relayed } from './support.ts'

async function worldWithRelays() {
  const world = await createWorld()
  await world.inside(async (toolkit, root) => {
    const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'password1', quota: 10_000 })
    await relayed(toolkit, { id: root.id, username: 'root' })
    await relayed(toolkit, ann)
    await relayed(toolkit, ann, 7)
  })
  return world
}

test('log list shows relays newest first, and narrows by type, user, model and time', async () => {
  const world = await worldWithRelays()
  const total = async (...flags: string[]) => (await world.json('log', 'list', ...flags)).total
  expect(await total('--type', 'consumption')).toBe(3)
  expect(await total('--type', '2', '--user', 'ann')).toBe(2)
  expect(await total('--model', 'gpt-%')).toBe(3)
  expect(await total('--model', 'o3-mini')).toBe(0)
  expect(await total('--token', 'app', '--since', '1h')).toBe(3)
  expect(await total('--until', '2024-01-31')).toBe(0)
  const { stdout } = await world.run(['log', 'list', '--limit', '1'])
  expect(stdout).toMatch(
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ +consumption +ann +app +gpt-4o +- +120 +80 +7 \(\$0\.000014\) +2 s/,
  )
})

test.each([
  ['--since', 'yesterday'],
  ['--since', '-1h'],
  ['--type', 'nonsense'],
  ['--channel', '1e3'],
  ['--limit', '1001'],
])('log list refuses %s %s, naming it', async (flag, value) => {
  const world = await createWorld()
  expect(await world.run(['log', 'list', flag, value])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(flag),
  })
})

test('log stat sums what the same filters leave', async () => {
  const world = await worldWithRelays()
  expect(await world.json('log', 'stat')).toMatchObject({ quota: 447, rpm: 3, tpm: 600 })
  expect((await world.run(['log', 'stat', '--user', 'root'])).stdout).toMatch(/^cost +220 \(\$0\.00044\)$/m)
})

test('log receipt shows the computation and says equal', async () => {
  const world = await worldWithRelays()
  const { items } = await world.json('log', 'list', '--type', 'consumption')
  const [forged, fair] = items
  const { stdout, exitCode } = await world.run(['log', 'receipt', String(fair.id)])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^prompt tokens +120 × 1 += 120$/m)
  expect(stdout).toMatch(/^completion tokens +80 × 4 += 320$/m)
  expect(stdout).toMatch(/^computed +220 \(\$0\.00044\)$/m)
  expect(stdout.split('\n').at(-1)).toBe('equal')
  const wrong = await world.run(['log', 'receipt', String(forged.id)])
  expect(wrong).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/\nNOT equal$/) })
  const json = await world.run(['log', 'receipt', String(forged.id), '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ equal: false, charged: 7, recomputed: 220 })
})

test('log receipt of a row that is no relay, or of none, is not found', async () => {
  const world = await worldWithRelays()
  for (const id of ['1', '999']) expect((await world.run(['log', 'receipt', id])).exitCode).toBe(3)
})

test('ledger verify says equal for all users, and names who differs with exit 1', async () => {
  const world = await worldWithRelays()
  expect(await world.run(['ledger', 'verify'])).toMatchObject({
    exitCode: 0,
    stdout: 'equal for 2 users: entries 100010000 - charges 447 = 100009553, balances 100009553',
  })
  await world.inside(({ db }) => db.transaction((trx) => trx('users').where({ username: 'ann' }).increment('quota', 5)))
  const { stdout, exitCode } = await world.run(['ledger', 'verify'])
  expect(exitCode).toBe(1)
  expect(stdout).toMatch(/ann +9778 +9773 +5/)
  expect(stdout).toMatch(/^NOT equal for 1 of 2 users/m)
  const json = await world.run(['ledger', 'verify', '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({ equal: false, differences: [{ username: 'ann', quota: 9778 }] })
})
