import { expect, test } from 'vitest'
import type { NewTask } from '../../../core/ledger/charge.ts'
import { TOKEN_STATUS, type Token } from '../../../core/tokens/token.ts'
import { charges, expectNothingHeld } from '../../support/books.ts'
import { releaseAllDead } from '../../support/dead.ts'
import { bill, onBoth, type Person, type TestToolkit } from '../../support/toolkit.ts'

const PRICE = 50_000

interface Paid {
  person: Person
  token: Token
  channelId: number
  taskId: number
}

/** A task that its user has paid for with the last of a token's budget. */
async function paidTask(
  fixture: TestToolkit,
  { balance = 80_000, fields = {}, row = {} }: { balance?: number; fields?: object; row?: NewTask['row'] } = {},
): Promise<Paid> {
  const { toolkit } = fixture
  const person = await fixture.user({ quota: balance })
  const token = await fixture.token(person, { unlimited_quota: false, remain_quota: PRICE })
  const { id: channelId } = await fixture.channel()
  await settleTask(fixture, { person, token, channelId }, { fields, row })
  const { id: taskId } = await toolkit.db.reader('tasks').where({ user_id: person.id }).first('id')
  return { person, token, channelId, taskId: Number(taskId) }
}

async function settleTask(
  { toolkit }: TestToolkit,
  { person, token, channelId }: Omit<Paid, 'taskId'>,
  { fields = {}, row = {} }: { fields?: object; row?: NewTask['row'] } = {},
): Promise<void> {
  const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: token.id, quota: PRICE })
  const owner = { user_id: person.id, token_id: token.id, channel_id: channelId, quota: PRICE }
  await toolkit.ledger.settle(hold, {
    ...bill(person, { quota: PRICE, tokenId: token.id, channelId, modelName: 'suno_music', ...fields }),
    task: {
      table: 'tasks',
      row: { task_id: 'up-1', request_id: 'r', progress: '0%', platform: 'suno', ...owner, ...row },
    },
  })
}

/** What every place says that a charge or a refund touches. */
async function books({ toolkit }: TestToolkit, { person, token, channelId }: Omit<Paid, 'taskId'>) {
  const { reader } = toolkit.db
  const user = await reader('users').where({ id: person.id }).first('quota', 'used_quota', 'held_quota')
  const key = await reader('tokens').where({ id: token.id }).first('remain_quota', 'used_quota', 'held_quota', 'status')
  const channel = await reader('channels').where({ id: channelId }).first('used_quota')
  const refunds = await reader('ledger_entries').where({ kind: 'refund', user_id: person.id }).select('quota')
  return { user, token: key, channel: channel?.used_quota, refunds: refunds.map(({ quota }) => quota) }
}
const PAID_BACK = {
  user: { quota: 80_000, used_quota: 0, held_quota: 0 },
  token: { remain_quota: PRICE, used_quota: 0, held_quota: 0, status: TOKEN_STATUS.enabled },
  channel: 0,
  refunds: [PRICE],
}

onBoth('a task and its charge', (open) => {
  test.each(['true', 'false'])('are written together, with consumption logging %s', async (logged) => {
    const fixture = await open()
    await fixture.toolkit.options.set(fixture.root, 'LogConsumeEnabled', logged)

    const paid = await paidTask(fixture, { row: { action: 'MUSIC', request_id: 'r-1' } })

    expect(await fixture.toolkit.db.reader('tasks').select('task_id', 'action', 'quota', 'request_id')).toEqual([
      { task_id: 'up-1', action: 'MUSIC', quota: PRICE, request_id: 'r-1' },
    ])
    expect(await charges(fixture)).toHaveLength(logged === 'true' ? 1 : 0)
    expect(await books(fixture, paid)).toMatchObject({
      user: { quota: 30_000, used_quota: PRICE },
      token: { remain_quota: 0, used_quota: PRICE },
      channel: PRICE,
    })

    // The same task again, in one batch with something else: it is not charged, and blocks nothing.
    const { ledger } = fixture.toolkit
    const other = await fixture.user({ quota: 100 })
    const holds = await Promise.all([1, 2, 3].map(() => ledger.hold({ userId: other.id, budgetTokenId: 0, quota: 10 })))
    const row = { task_id: 'up-1', request_id: 'r-2', channel_id: paid.channelId, progress: '0%' }
    const accepted = holds.map((hold, at) =>
      ledger.settle(hold, { ...bill(other, { quota: 10 }), ...(at !== 1 && { task: { table: 'tasks', row } }) }),
    )
    expect(await Promise.all(accepted)).toEqual(['task-exists', 'settled', 'task-exists'])
    expect((await books(fixture, { ...paid, person: other })).user).toMatchObject({ used_quota: 10 })
    expect(await fixture.balance(other)).toBe(90)
    expect(await fixture.toolkit.db.reader('tasks').pluck('request_id')).toEqual(['r-1'])
    expect(await charges(fixture)).toHaveLength(logged === 'true' ? 2 : 0)
    await expectNothingHeld(fixture)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('are skipped together if the request is already in the ledger', async () => {
    const fixture = await open()
    const paid = await paidTask(fixture, { fields: { requestId: 'same' } })
    const hold = await fixture.toolkit.ledger.hold({ userId: paid.person.id, budgetTokenId: 0, quota: 10 })

    await fixture.toolkit.ledger.settle(hold, {
      ...bill(paid.person, { quota: 10, requestId: 'same' }),
      task: { table: 'tasks', row: { task_id: 'up-2', user_id: paid.person.id } },
    })

    expect(await fixture.toolkit.db.reader('tasks').pluck('task_id')).toEqual(['up-1'])
    expect((await books(fixture, paid)).user).toMatchObject({ quota: 30_000, used_quota: PRICE })
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('are written together although the process was considered dead meanwhile', async () => {
    const fixture = await open()
    const { toolkit } = fixture
    const person = await fixture.user({ quota: 80_000 })
    const token = await fixture.token(person, { unlimited_quota: false, remain_quota: PRICE })
    const { id: channelId } = await fixture.channel()
    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: token.id, quota: PRICE })
    await releaseAllDead(fixture)

    await toolkit.ledger.settle(hold, {
      ...bill(person, { quota: PRICE, tokenId: token.id, channelId }),
      task: { table: 'midjourneys', row: { mj_id: 'up-1', user_id: person.id, quota: PRICE } },
    })

    expect(await toolkit.db.reader('midjourneys').pluck('mj_id')).toEqual(['up-1'])
    expect(await books(fixture, { person, token, channelId })).toMatchObject({ user: { quota: 30_000, held_quota: 0 } })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('are written with any content from an upstream', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const hold = await toolkit.ledger.hold({ userId: root.id, budgetTokenId: 0, quota: 0 })
    const odd = { action: 'A'.repeat(99), mj_id: `'; DROP TABLE users; --\0${'é'.repeat(300)}`, prompt: '\0"\'' }

    await toolkit.ledger.settle(hold, {
      ...bill(root, { quota: 0 }),
      task: {
        table: 'midjourneys',
        row: { ...odd, code: 1e12, submit_time: 1.5, start_time: Number.NaN, finish_time: 1e300 },
      },
    })

    const [row] = await toolkit.db.reader('midjourneys').select()
    expect(row).toMatchObject({ action: 'A'.repeat(40), prompt: '"\'', code: 0 })
    expect(row).toMatchObject({ submit_time: 1, start_time: 0, finish_time: 0 })
    expect([...row.mj_id]).toHaveLength(255)
    expect(fixture.failures).toEqual([])
  })
})

onBoth('a task that fails', (open) => {
  test('refunds user, token and channel once, in any number of processes', async () => {
    const fixture = await open()
    const other = await fixture.another()
    const paid = await paidTask(fixture)
    await fixture.toolkit.tokens.recordUnusable(paid.token.id)
    expect((await books(fixture, paid)).token.status).toBe(TOKEN_STATUS.exhausted)
    const fail = (toolkit = fixture.toolkit) =>
      toolkit.taskLifecycle.advance('tasks', paid.taskId, { status: 'FAILURE', fail_reason: 'bad' }, 'failure')

    const written = await Promise.all([fail(), fail(other), fail(), fail(other)])

    expect(written.filter(Boolean)).toHaveLength(1)
    expect(await fail()).toBe(false)
    expect(await books(fixture, paid)).toEqual(PAID_BACK)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    const { items } = await fixture.toolkit.logs.list(paid.person, { type: 4 })
    const [newest] = items
    expect(newest?.content).toBe('异步任务执行失败 up-1，补偿 ＄0.100000 额度')
    expect(items.filter(({ content }) => content.includes('补偿'))).toHaveLength(1)
    // The key works again, and for the whole of it.
    const hold = { userId: paid.person.id, budgetTokenId: paid.token.id, quota: PRICE }
    expect((await fixture.toolkit.ledger.hold(hold)).quota).toBe(PRICE)
  })

  test('refunds neither twice nor an unpaid amount', async () => {
    const fixture = await open()
    const paid = await paidTask(fixture)
    const { taskLifecycle, db } = fixture.toolkit
    await taskLifecycle.advance('tasks', paid.taskId, {}, 'failure')
    // As an import, or a hand in the table, would have it.
    await db.transaction((trx) => trx('tasks').update({ progress: '0%' }))
    await taskLifecycle.insertUnpaid({ table: 'tasks', row: { task_id: 'free', user_id: paid.person.id } })

    for (const { id } of await taskLifecycle.unfinished('tasks', { after: 0, limit: 10 })) {
      expect(await taskLifecycle.advance('tasks', id, {}, 'failure')).toBe(true)
    }

    expect(await books(fixture, paid)).toEqual(PAID_BACK)
    expect(await taskLifecycle.unfinished('tasks', { after: 0, limit: 10 })).toEqual([])
  })

  test('ends and refunds although its token, its channel or its user is deleted', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const paid = await paidTask(fixture)
    await toolkit.tokens.delete(paid.person, paid.token.id)
    await toolkit.channels.delete(root, paid.channelId)
    await toolkit.accounts.manage(root, paid.person.id, 'delete')

    expect(await toolkit.taskLifecycle.advance('tasks', paid.taskId, {}, 'failure')).toBe(true)

    const { user, token, refunds } = await books(fixture, paid)
    expect({ user, refunds }).toEqual({ user: PAID_BACK.user, refunds: [PRICE] })
    expect(token).toMatchObject({ remain_quota: PRICE, used_quota: 0 })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('ends although its user no longer exists', async () => {
    const fixture = await open()
    const paid = await paidTask(fixture)
    await fixture.toolkit.accounts.delete(fixture.root, paid.person.id)

    expect(await fixture.toolkit.taskLifecycle.advance('tasks', paid.taskId, {}, 'failure')).toBe(true)

    expect((await books(fixture, paid)).refunds).toEqual([])
  })

  test('ends although the balance can take only a part of it', async () => {
    const fixture = await open()
    const paid = await paidTask(fixture)
    await fixture.toolkit.db.transaction((trx) =>
      fixture.toolkit.ledger.credit(trx, { userId: paid.person.id, kind: 'edit', quota: 9e15 - 30_000 - 7 }),
    )

    expect(await fixture.toolkit.taskLifecycle.advance('tasks', paid.taskId, {}, 'failure')).toBe(true)

    expect(await books(fixture, paid)).toMatchObject({ user: { quota: 9e15, used_quota: 0 }, refunds: [7] })
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

onBoth('a task on its way', (open) => {
  test('has the last status of its upstream, and is not finished by progress alone', async () => {
    const fixture = await open()
    const paid = await paidTask(fixture)
    const { taskLifecycle } = fixture.toolkit
    const page = { after: 0, limit: 10, columns: ['progress', 'status'] }

    await taskLifecycle.advance('tasks', paid.taskId, { status: 'IN_PROGRESS', progress: '100%' })

    expect(await taskLifecycle.unfinished('tasks', page)).toEqual([
      {
        id: paid.taskId,
        upstreamId: 'up-1',
        userId: paid.person.id,
        channelId: paid.channelId,
        keyDigest: '',
        submitTime: 0,
        stored: { progress: '99%', status: 'IN_PROGRESS' },
      },
    ])
    expect(await taskLifecycle.unfinished('tasks', { ...page, after: paid.taskId })).toEqual([])
    expect(await taskLifecycle.advance('tasks', paid.taskId, { status: 'SUCCESS' }, 'success')).toBe(true)
    expect(await taskLifecycle.advance('tasks', paid.taskId, { status: 'FAILURE' }, 'failure')).toBe(false)
    expect(await taskLifecycle.unfinished('tasks', page)).toEqual([])
    expect((await books(fixture, paid)).refunds).toEqual([])
  })
})
