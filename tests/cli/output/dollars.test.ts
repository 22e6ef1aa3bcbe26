import { describe, expect, test } from 'vitest'
import { quotaAmount } from '../../../cli/output/dollars.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe('an amount of quota', () => {
  const amount = quotaAmount({ min: 0, max: 1e15 })
  test.each([
    ['500000', 500_000],
    ['0', 0],
    ['5m', 5_000_000],
    ['1.5M', 1_500_000],
    ['250k', 250_000],
    ['0.1b', 100_000_000],
  ])('%s is %i', (text, quota) => {
    expect(amount(text)).toBe(quota)
  })

  test.each([
    '',
    '1.5',
    '-1',
    '1e6',
    '0x10',
    '1.0000001m',
    '9999999b',
    '1000000000000001',
    'm',
    '$',
    '$-1',
    '1eur',
    '5 m',
    '$1m',
  ])('%j is rejected', (text) => {
    expect(() => amount(text)).toThrow('1.50usd')
  })
})

describe.each(BACKINGS)('dollars, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test.each([
    ['$1', 500_000],
    ['1.50usd', 750_000],
    ['2USD', 1_000_000],
    ['$0.000002', 1],
  ])('%s create a code worth %i', async (text, quota) => {
    await world().json('redemption', 'create', '--quota', text, '--name', 'worth')
    const { items } = await world().json('redemption', 'list', '--limit', '1')
    expect(items[0].quota).toBe(quota)
  })

  test('change a balance, in both directions', async () => {
    await world().json('user', 'create', 'rich', '--quota', '$3')
    expect((await world().json('user', 'set-quota', 'rich', '+$2')).quota).toBe(2_500_000)
    const { stdout } = await world().run(['--json', 'user', 'set-quota', 'rich', '--', '-1usd'])
    expect(JSON.parse(stdout).quota).toBe(2_000_000)
    expect((await world().json('user', 'set-quota', 'rich', '1m')).quota).toBe(1_000_000)
  })

  test('follow the option QuotaPerUnit', async () => {
    await world().run(['option', 'set', 'QuotaPerUnit', '1000'])
    expect((await world().json('token', 'create', 'small', '--quota', '$2')).remain_quota).toBe(2000)
    await world().run(['option', 'reset', 'QuotaPerUnit', '--yes'])
  })

  test('are rejected if too small or too large', async () => {
    const { exitCode, stderr } = await world().run(['redemption', 'create', '--quota', '$0.0000001'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('0 quota')
  })

  test('ls, show and rm are aliases of list, get and delete', async () => {
    expect((await world().json('user', 'ls')).total).toBe((await world().json('user', 'list')).total)
    expect((await world().json('user', 'show', 'root')).username).toBe('root')
    await world().json('user', 'create', 'gone')
    expect((await world().run(['user', 'rm', 'gone', '--yes'])).exitCode).toBe(0)
    expect((await world().run(['version'])).stdout).toMatch(/^\d+\.\d+\.\d+$/)
  })
})
