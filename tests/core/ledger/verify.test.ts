import { expect, test } from 'vitest'
import { bill, onBoth, type Person, type TestToolkit } from '../../support/toolkit.ts'

async function charge({ toolkit }: TestToolkit, person: Person, quota: number, more: object = {}): Promise<string> {
  const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota })
  const charged = bill(person, { quota, ...more })
  await toolkit.ledger.settle(hold, charged)
  return charged.requestId
}

/** A user who redeemed a code, was charged by two relays, and had a failed task paid back. */
async function busyBooks(fixture: TestToolkit) {
  const { toolkit, root } = fixture
  const person = await fixture.user({ quota: 10_000 })
  const token = await fixture.token(person)
  const channel = await fixture.channel({})
  const [code] = await toolkit.redemption.create(root, { name: 'code', quota: 500, count: 1 })
  await toolkit.redemption.redeem({ id: person.id, role: 1 }, code ?? '')
  const paid = { tokenId: token.id, channelId: channel.id, modelName: 'm' }
  await charge(fixture, person, 100, paid)
  await charge(fixture, person, 40, { ...paid, requestId: 'priced', ...RECEIPT })
  const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 70 })
  const task = {
    table: 'tasks' as const,
    row: {
      task_id: 't1',
      user_id: person.id,
      token_id: token.id,
      channel_id: channel.id,
      quota: 70,
      request_id: 'task-1',
      progress: '0%',
    },
  }
  await toolkit.ledger.settle(hold, bill(person, { ...paid, quota: 70, requestId: 'task-1', task }))
  const { id } = await toolkit.db.reader('tasks').first('id')
  await toolkit.taskLifecycle.advance('tasks', id, { status: 'FAILURE' }, 'failure')
  await toolkit.ledger.close()
  return { person, token, channel, taskId: id as number, code: code ?? '' }
}

/** Of a charge of 40: its row says what was used, and at which price. */
const RECEIPT = {
  promptTokens: 30,
  completionTokens: 5,
  other: JSON.stringify({
    model_ratio: 1,
    model_price: -1,
    completion_ratio: 2,
    group_ratio: 1,
    quota_per_unit: 500_000,
  }),
}

type Busy = Awaited<ReturnType<typeof busyBooks>>

/** A change by hand, and the row that is named for it. */
const TAMPERINGS: readonly {
  name: string
  sql: (busy: Busy) => string
  row: (busy: Busy) => { table: string; id?: string | undefined; what: string }
}[] = [
  {
    name: 'the used quota of a user',
    sql: ({ person }) => `UPDATE users SET used_quota = used_quota + 7 WHERE id = ${person.id}`,
    row: ({ person }) => ({ table: 'users', id: String(person.id), what: 'used_quota' }),
  },
  {
    name: 'the used quota of a token',
    sql: ({ token }) => `UPDATE tokens SET used_quota = used_quota - 7 WHERE id = ${token.id}`,
    row: ({ token }) => ({ table: 'tokens', id: String(token.id), what: 'used_quota' }),
  },
  {
    name: 'the budget of a token',
    sql: ({ token }) => `UPDATE tokens SET remain_quota = remain_quota + 5 WHERE id = ${token.id}`,
    row: ({ token }) => ({ table: 'tokens', id: String(token.id), what: 'remain_quota' }),
  },
  {
    name: 'the used quota of a channel',
    sql: ({ channel }) => `UPDATE channels SET used_quota = 0 WHERE id = ${channel.id}`,
    row: ({ channel }) => ({ table: 'channels', id: String(channel.id), what: 'used_quota' }),
  },
  {
    name: 'the held quota of a token',
    sql: ({ token }) => `UPDATE tokens SET held_quota = 5 WHERE id = ${token.id}`,
    row: ({ token }) => ({ table: 'tokens', id: String(token.id), what: 'held_quota' }),
  },
  {
    name: 'a reserve of a process that does not exist',
    sql: ({ token }) =>
      `INSERT INTO holds (node_id, account, account_id, quota) VALUES ('gone', 'token', ${token.id}, 0 + 5)`,
    row: ({ token }) => ({ table: 'holds', id: String(token.id), what: 'no process' }),
  },
  {
    name: 'a paid order without its entry',
    sql: ({ person }) =>
      `INSERT INTO top_ups (user_id, amount, money, trade_no, status, quota) VALUES (${person.id}, 1, 1, 'order-1', 'success', 900)`,
    row: () => ({ table: 'top_ups', what: 'entry of a paid order' }),
  },
  {
    name: 'a code that was made unused again',
    sql: () => 'UPDATE redemptions SET status = 1',
    row: () => ({ table: 'ledger_entries', what: 'redemption without a used code' }),
  },
  {
    name: 'the value of a used code',
    sql: () => 'UPDATE redemptions SET quota = 501',
    row: () => ({ table: 'redemptions', what: 'entry of a used code' }),
  },
  {
    name: 'a task that failed no more',
    sql: () => `UPDATE tasks SET status = 'SUCCESS'`,
    row: () => ({ table: 'ledger_entries', what: 'refund without a failed task' }),
  },
  {
    name: 'the number of requests of a user',
    sql: ({ person }) => `UPDATE users SET request_count = request_count + 1 WHERE id = ${person.id}`,
    row: ({ person }) => ({ table: 'users', id: String(person.id), what: 'request_count' }),
  },
  {
    name: 'a charge in the log',
    sql: () => `UPDATE logs SET quota = quota - 30 WHERE request_id = 'priced'`,
    row: () => ({ table: 'logs', what: 'quota of a charge' }),
  },
  {
    name: 'a count of requests of the dashboard',
    sql: () => 'UPDATE quota_data SET count = count + 1',
    row: () => ({ table: 'quota_data', what: 'requests of a user, hour and model' }),
  },
  {
    name: 'a count of tokens of the dashboard',
    sql: () => 'UPDATE quota_data SET token_used = token_used - 1',
    row: () => ({ table: 'quota_data', what: 'tokens of a user, hour and model' }),
  },
  {
    name: 'a count of requests of all users',
    sql: () => 'UPDATE model_hours SET count = count + 1',
    row: () => ({ table: 'model_hours', what: 'requests of an hour and model' }),
  },
  {
    name: 'a count of tokens of all users',
    sql: () => 'UPDATE model_hours SET token_used = token_used + 1',
    row: () => ({ table: 'model_hours', what: 'tokens of an hour and model' }),
  },
  {
    name: 'a count of the dashboard',
    sql: () => 'UPDATE quota_data SET quota = quota + 1',
    row: () => ({ table: 'quota_data', what: 'quota of a user, hour and model' }),
  },
  {
    name: 'a count of the dashboard, gone',
    sql: () => 'DELETE FROM quota_data',
    row: () => ({ table: 'quota_data', what: 'quota of a user, hour and model' }),
  },
  {
    name: 'a count of all users',
    sql: () => 'UPDATE model_hours SET quota = quota + 1',
    row: () => ({ table: 'model_hours', what: 'quota of an hour and model' }),
  },
  {
    name: 'a count of all users, gone',
    sql: () => 'DELETE FROM model_hours',
    row: () => ({ table: 'model_hours', what: 'requests of an hour and model' }),
  },
  {
    name: 'the amount of an entry',
    sql: () => `UPDATE ledger_entries SET quota = quota + 1 WHERE kind = 'redemption'`,
    row: () => ({ table: 'ledger_entries', what: 'changed by hand, or an entry before it is missing' }),
  },
  {
    name: 'the note of an entry',
    sql: () => `UPDATE ledger_entries SET note = 'gift' WHERE kind = 'redemption'`,
    row: () => ({ table: 'ledger_entries', what: 'changed by hand, or an entry before it is missing' }),
  },
  {
    name: 'an entry that is gone',
    sql: () => `DELETE FROM ledger_entries WHERE kind = 'redemption'`,
    row: () => ({ table: 'ledger_entries', what: 'changed by hand, or an entry before it is missing' }),
  },
  {
    name: 'the last entry, gone',
    sql: () => `DELETE FROM ledger_entries WHERE kind = 'refund'`,
    row: ({ person }) => ({
      table: 'ledger_heads',
      id: String(person.id),
      what: 'the last entries of this user are missing',
    }),
  },
  {
    name: 'the last entry, gone, and the end of the chain with it',
    sql: ({ person }) => `UPDATE ledger_heads SET entries = 2,
      hash = (SELECT hash FROM ledger_entries WHERE kind = 'redemption') WHERE user_id = ${person.id}`,
    row: ({ person }) => ({
      table: 'ledger_heads',
      id: String(person.id),
      what: 'the last entries of this user are missing',
    }),
  },
  {
    name: 'an entry that was put in',
    sql: ({ person }) =>
      `INSERT INTO ledger_entries (user_id, kind, quota, balance_after, created_at) VALUES (${person.id}, 'grant', 5, 0, 0)`,
    row: () => ({ table: 'ledger_entries', what: 'changed by hand, or an entry before it is missing' }),
  },
]

onBoth('the proof of the books', (open) => {
  test('passes after relays, codes, refunds, clears of the log, and relays without a log', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const { person, token, channel } = await busyBooks(fixture)
    const other = await fixture.another()
    expect(await other.ledger.verify()).toMatchObject({ equal: true, differences: [], rows: [] })

    await other.logs.clear(root, Math.floor(Date.now() / 1000) + 10)
    expect(await other.ledger.verify()).toMatchObject({ equal: true, rows: [] })
    await other.options.set(root, 'LogConsumeEnabled', 'false')
    await charge({ ...fixture, toolkit: other }, person, 33, { tokenId: token.id, channelId: channel.id })
    await charge({ ...fixture, toolkit: other }, person, 34, { tokenId: token.id, channelId: channel.id })

    const verification = await other.ledger.verify()
    expect(verification).toMatchObject({ equal: true, differences: [], rows: [] })
    expect(await toolkit.db.reader('ledger_entries').where({ kind: 'charge' }).orderBy('id').pluck('quota')).toEqual([
      -33, -34,
    ])
  })

  test.each(TAMPERINGS)('names the row of $name', async ({ sql, row }) => {
    const fixture = await open()
    const busy = await busyBooks(fixture)
    await fixture.toolkit.db.transaction((trx) => trx.raw(sql(busy)))

    const { equal, rows } = await (await fixture.another()).ledger.verify()

    expect(equal).toBe(false)
    expect(rows).toContainEqual(expect.objectContaining(row(busy)))
  })

  test('reads the charges of up to 20 users, although one of them has more than 20 differences', async () => {
    const fixture = await open()
    const { db } = fixture.toolkit
    const { person } = await busyBooks(fixture)
    const other = await fixture.user()
    for (let count = 0; count < 21; count++) await fixture.token(other)
    await db.transaction(async (trx) => {
      await trx('tokens').where({ user_id: other.id }).increment('remain_quota', 5)
      // The balance still fits, so the user is listed only for the used quota, after the tokens.
      await trx('logs').where({ request_id: 'priced' }).decrement('quota', 30)
      await trx('users').where({ id: person.id }).increment('quota', 30)
    })

    const { differences, rows } = await (await fixture.another()).ledger.verify()

    expect(differences).toEqual([])
    const charge = { table: 'logs', what: 'quota of a charge', user_id: person.id, found: 10, expected: 40 }
    expect(rows).toContainEqual(expect.objectContaining(charge))
  })

  test('ignores hours without dashboard counts', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const person = await fixture.user({ quota: 1000 })
    await charge(fixture, person, 3)
    await toolkit.options.set(root, 'DataExportEnabled', 'false')
    await charge(fixture, person, 4)
    await toolkit.options.set(root, 'DataExportEnabled', 'true')
    await charge(fixture, person, 5)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [] })
  })

  test('runs during relays', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1_000_000 })
    let isOver = false
    const relays = (async () => {
      while (!isOver) await charge(fixture, person, 3)
    })()
    for (let turn = 0; turn < 5; turn++) expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    isOver = true
    await relays
  })
})

/** What cannot be told from the rows alone is left to a person. */
const UNREPAIRABLE = new Set([
  'a code that was made unused again',
  'a task that failed no more',
  'the value of a used code',
])

onBoth('a repair of the books', (open) => {
  test.each(TAMPERINGS.filter(({ name }) => !UNREPAIRABLE.has(name)))(
    'after a change of $name adds an entry with the reason, edits none, and has nothing to do the next time',
    async ({ sql }) => {
      const fixture = await open()
      const busy = await busyBooks(fixture)
      const { toolkit, root } = fixture
      await toolkit.db.transaction((trx) => trx.raw(sql(busy)))
      const entries = () => toolkit.db.reader('ledger_entries').orderBy('id').select()
      const before = await entries()
      const { ledger } = await fixture.another()

      const proposals = await ledger.proposeRepairs()
      expect(proposals).not.toEqual([])
      expect(await entries()).toEqual(before)
      expect(await ledger.repair(root)).not.toEqual([])

      const after = await entries()
      expect(after.slice(0, before.length)).toEqual(before)
      expect(after.slice(before.length).map(({ note }) => note)).toContainEqual(expect.stringMatching(/^repaired /))
      expect(await ledger.verify()).toMatchObject({ equal: true, differences: [], rows: [] })
      expect(await ledger.repair(root)).toEqual([])
    },
  )

  test.each([100, -100])('of a balance changed by %d adds an entry of the difference', async (by) => {
    const fixture = await open()
    const { person } = await busyBooks(fixture)
    const { toolkit, root } = fixture
    await toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).increment('quota', by))
    const balance = await fixture.balance(person)
    const { ledger } = await fixture.another()
    await ledger.repair(root)

    expect(await fixture.balance(person)).toBe(balance)
    expect(await toolkit.db.reader('ledger_entries').orderBy('id', 'desc').first()).toMatchObject({
      kind: 'correction',
      quota: by,
      actor_id: root.id,
      note: expect.stringContaining(`users ${person.id}, quota: ${balance} instead of ${balance - by}`),
    })
    expect(await ledger.verify()).toMatchObject({ equal: true })
  })

  test('credits a paid order without a credit, and only adds a lost ledger entry', async () => {
    const fixture = await open()
    const { person } = await busyBooks(fixture)
    const { toolkit, root } = fixture
    const balance = await fixture.balance(person)
    await toolkit.db.transaction((trx) =>
      trx('top_ups').insert({ user_id: person.id, amount: 1, money: 1, trade_no: 'o1', status: 'success', quota: 900 }),
    )
    const { ledger } = await fixture.another()
    await ledger.repair(root)
    expect(await fixture.balance(person)).toBe(balance + 900)

    await toolkit.db.transaction((trx) => trx('ledger_entries').where({ reference: 'o1' }).delete())
    await ledger.repair(root)
    expect(await fixture.balance(person)).toBe(balance + 900)
    expect(await toolkit.db.reader('ledger_entries').where({ reference: 'o1' }).count({ count: '*' })).toEqual([
      { count: 1 },
    ])
    expect(await ledger.verify()).toMatchObject({ equal: true })
  })
})
