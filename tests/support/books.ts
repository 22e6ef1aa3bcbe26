import { expect } from 'vitest'
import { LOG_TYPE, type Log } from '../../core/logs/log.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Person } from './toolkit.ts'

export interface Opened {
  toolkit: LocalToolkit
  root: Person
}

/** Parses a log row's `other`. */
export const otherOf = (log: Log) =>
  JSON.parse(log.other) as Record<string, unknown> & { admin_info: { use_channel: string[] } }

/** Returns all charges, oldest first. */
export async function charges({ toolkit, root }: Opened): Promise<Log[]> {
  const rows: Log[] = []
  for (let page = 1; ; page++) {
    const { items, total } = await toolkit.logs.list(root, { type: LOG_TYPE.consumption, page, pageSize: 1000 })
    rows.push(...items)
    if (rows.length >= total) return rows.reverse()
  }
}

/** Waits for a number of charges: clients that disconnect cannot observe when their charge is written. */
export async function untilCharged(fixture: Opened, count: number): Promise<Log[]> {
  await expect.poll(() => charges(fixture).then(({ length }) => length), { timeout: 5000 }).toBe(count)
  return charges(fixture)
}

/** Returns the held quota of all users and tokens. */
export async function held({ toolkit }: Opened): Promise<number> {
  const [users] = await toolkit.db.reader('users').sum({ held: 'held_quota' })
  const [tokens] = await toolkit.db.reader('tokens').sum({ held: 'held_quota' })
  return Number(users?.held) + Number(tokens?.held)
}

/** Expects that all holds end within five seconds. */
export async function expectNothingHeld(fixture: Opened): Promise<void> {
  await expect.poll(() => held(fixture), { timeout: 5000 }).toBe(0)
}

const HOUR_S = 3600

/** Expects the dashboard's counts to equal the log's sums by user, model and hour. */
async function expectExactDashboard({ toolkit }: Opened, logs: readonly Log[]): Promise<void> {
  type Sum = { count: number; quota: number; tokens: number }
  const add = (sums: Map<string, Sum>, key: string, { count, quota, tokens }: Sum) => {
    const sum = sums.get(key) ?? { count: 0, quota: 0, tokens: 0 }
    sums.set(key, { count: sum.count + count, quota: sum.quota + quota, tokens: sum.tokens + tokens })
  }
  const [logged, counted] = [new Map<string, Sum>(), new Map<string, Sum>()]
  for (const { user_id, model_name, created_at, quota, prompt_tokens, completion_tokens } of logs) {
    const hour = created_at - (created_at % HOUR_S)
    add(logged, `${user_id} ${model_name} ${hour}`, { count: 1, quota, tokens: prompt_tokens + completion_tokens })
  }
  for (const row of await toolkit.db.reader('quota_data').select('*')) {
    const { user_id, model_name, created_at, count, quota, token_used: tokens } = row
    add(counted, `${user_id} ${model_name} ${created_at}`, { count, quota, tokens })
  }
  expect(counted).toEqual(logged)
}

/** Like `expectExactTotals`; also recomputes each row's price from the row. */
export async function expectExactBooks(fixture: Opened): Promise<Log[]> {
  const { toolkit, root } = fixture
  const logs = await expectExactTotals(fixture)
  for (const { id } of logs) {
    const { charged, recomputed, equal } = await toolkit.logs.receipt(root, id)
    expect({ id, charged, equal }).toEqual({ id, charged: recomputed, equal: true })
  }
  return logs
}

/** Expects all totals and dashboard counts to equal the log's sums exactly, and the ledger to verify. Returns the charges. */
export async function expectExactTotals(fixture: Opened): Promise<Log[]> {
  const { toolkit } = fixture
  const logs = await charges(fixture)
  const sums = (of: (log: Log) => number) => {
    const totals = new Map<number, { used: number; count: number }>()
    for (const log of logs) {
      const total = totals.get(of(log)) ?? { used: 0, count: 0 }
      totals.set(of(log), { used: total.used + log.quota, count: total.count + 1 })
    }
    return (id: number) => totals.get(id) ?? { used: 0, count: 0 }
  }
  const { reader } = toolkit.db
  const [ofUser, ofToken, ofChannel] = [
    sums(({ user_id }) => user_id),
    sums(({ token_id }) => token_id),
    sums(({ channel }) => channel),
  ]
  for (const { id, used_quota, request_count } of await reader('users').select('id', 'used_quota', 'request_count')) {
    expect({ user: id, used: used_quota, count: request_count }).toEqual({ user: id, ...ofUser(id) })
  }
  for (const { id, used_quota } of await reader('tokens').select('id', 'used_quota')) {
    expect({ token: id, used: used_quota }).toEqual({ token: id, used: ofToken(id).used })
  }
  for (const { id, used_quota } of await reader('channels').select('id', 'used_quota')) {
    expect({ channel: id, used: used_quota }).toEqual({ channel: id, used: ofChannel(id).used })
  }
  await expectExactDashboard(fixture, logs)
  expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  return logs
}
