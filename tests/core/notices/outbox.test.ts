import { setTimeout as sleep } from 'node:timers/promises'
import type { Knex } from 'knex'
import { describe, expect, test } from 'vitest'
import { GATEWAY } from '../../../core/actor.ts'
import { recordChannelEvents } from '../../../core/channels/health/events.ts'
import type { NoticeEvent } from '../../../core/notices/notice.ts'
import { recordNotice } from '../../../core/notices/outbox.ts'
import { ATTEMPTS_MAX, CLAIM_S, RETENTION_S, retryDelay } from '../../../core/notices/outgoing.ts'
import { MERCHANT, notificationOf } from '../../support/payment-page.ts'
import { onBoth, openTestToolkit, type Person, type TestToolkit } from '../../support/toolkit.ts'

const SECRET = 'a secret of sixteen or more'
const START = 1_800_000_000

async function hook(
  { toolkit }: TestToolkit,
  actor: Person,
  events: NoticeEvent[],
  { gateway = false }: { gateway?: boolean } = {},
) {
  const settings = { url: 'https://hooks.example.com/in', secret: SECRET }
  return toolkit.notices.targets.create(actor, { kind: 'webhook', name: 'hook', settings, events, gateway })
}

const noticesOf = async ({ toolkit }: TestToolkit) =>
  (await toolkit.db.reader('notices').orderBy('id').select('event', 'subject', 'data', 'user_id')).map((row) => ({
    ...row,
    data: JSON.parse(row.data),
  }))

const failed = { delivered: false, status: 500, error: 'no' } as const
const done = { delivered: true, status: 200, error: '' } as const

onBoth('the outbox', (open) => {
  test('has no notice of a rolled-back event', async () => {
    const fixture = await open()
    await hook(fixture, fixture.root, ['job.failed'], { gateway: true })
    const notice = { event: 'job.failed', subject: 'job:x', data: {}, now: START } as const
    const cause = fixture.toolkit.db.transaction(async (trx) => {
      await recordNotice(trx, notice)
      throw new Error('the cause failed')
    })
    await expect(cause).rejects.toThrow('the cause failed')
    expect(await noticesOf(fixture)).toEqual([])
    expect(await fixture.toolkit.db.reader('notice_deliveries').select('id')).toEqual([])
  })

  test('has one notice of an event reported many times concurrently', async () => {
    const fixture = await open()
    await hook(fixture, fixture.root, ['job.failed'], { gateway: true })
    const other = await fixture.another()
    const notice = { event: 'job.failed', subject: 'job:x', dedupe: 'the cause', data: {}, now: START } as const
    const record = (at: number) => (at % 2 ? other : fixture.toolkit).db.transaction((trx) => recordNotice(trx, notice))
    await Promise.all(Array.from({ length: 10 }, (_, at) => record(at)))
    expect(await noticesOf(fixture)).toHaveLength(1)
    expect(await fixture.toolkit.db.reader('notice_deliveries').select('id')).toHaveLength(1)
  })

  test('gives each delivery to one of two processes, and again after its claim expires', async () => {
    let time = START
    const now = () => time
    const fixture = await open({ now })
    const { id } = await hook(fixture, fixture.root, ['job.failed'], { gateway: true })
    const processes = [fixture.toolkit, await fixture.another()]
    await fixture.toolkit.db.transaction(async (trx) => {
      for (const at of [1, 2, 3]) {
        await recordNotice(trx, { event: 'job.failed', subject: `job:${at}`, data: {}, now: time })
      }
    })

    const claims = await Promise.all(
      Array.from({ length: 12 }, (_, at) => processes[at % 2]?.notices.outgoing.claim(id)),
    )
    const claimed = claims.filter((claim) => claim !== undefined)
    expect(new Set(claimed.map((claim) => claim.id)).size).toBe(claimed.length)
    while (await fixture.toolkit.notices.outgoing.claim(id)) claimed.push(claimed[0] as never)
    expect(claimed).toHaveLength(3)
    expect(await fixture.toolkit.notices.outgoing.dueTargets(10)).toEqual([])

    time += CLAIM_S
    expect(await fixture.toolkit.notices.outgoing.dueTargets(10)).toEqual([id])
    expect(await processes[1]?.notices.outgoing.claim(id)).toMatchObject({ attempts: 2 })
  })

  test('tries a delivery eight times with growing delays, until one succeeds or the last fails', async () => {
    let time = START
    const fixture = await open({ now: () => time })
    const { toolkit, root } = fixture
    const { id } = await hook(fixture, root, ['job.failed'], { gateway: true })
    const { outgoing, deliveries } = toolkit.notices
    await toolkit.db.transaction((trx) =>
      recordNotice(trx, { event: 'job.failed', subject: 'job:1', data: {}, now: time }),
    )
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const next = await outgoing.claim(id)
      expect(next?.attempts).toBe(attempt)
      if (next) await outgoing.finish(next, failed)
      expect(await outgoing.claim(id)).toBeUndefined()
      time += 24 * 3600
    }
    const [row] = await deliveries.list(root, { gateway: true })
    expect(row).toMatchObject({ state: 'failed', attempts: 8, status: 500, error: 'no' })
    expect(await outgoing.claim(id)).toBeUndefined()

    expect(await deliveries.retry(root, row?.id ?? 0)).toMatchObject({ state: 'pending', attempts: 0 })
    const again = await outgoing.claim(id)
    if (again) await outgoing.finish(again, done)
    expect(await deliveries.list(root, { gateway: true })).toMatchObject([{ state: 'delivered', error: '' }])
    await expect(deliveries.retry(root, row?.id ?? 0)).rejects.toMatchObject({ code: 'NOTICE_DELIVERED' })
  })

  test('stores a reply with control characters in valid form, and continues', async () => {
    let time = START
    const fixture = await open({ now: () => time })
    const { toolkit, root } = fixture
    const { id } = await hook(fixture, root, ['job.failed'], { gateway: true })
    const { outgoing, deliveries } = toolkit.notices
    await toolkit.db.transaction((trx) =>
      recordNotice(trx, { event: 'job.failed', subject: 'job:1', data: {}, now: time }),
    )
    const next = await outgoing.claim(id)
    if (next) await outgoing.finish(next, { delivered: false, status: 500, error: 'no\0more\u001b[31m' })

    expect(await deliveries.list(root, { gateway: true })).toMatchObject([{ state: 'pending', error: 'no more [31m' }])
    time += 60
    expect(await outgoing.claim(id)).toMatchObject({ attempts: 2 })
  })

  test('deletes notices older than 30 days in one statement, with their deliveries', async () => {
    let time = START
    const fixture = await open({ now: () => time })
    const { toolkit, root } = fixture
    await hook(fixture, root, ['job.failed'], { gateway: true })
    const notices = Array.from({ length: 1500 }, (_, at) => ({
      event: 'x',
      subject: 'x',
      data: '{}',
      created_at: START + at,
    }))
    await toolkit.db.transaction(async (trx) => {
      await trx.batchInsert('notices', notices, 100)
      await recordNotice(trx, { event: 'job.failed', subject: 'job:old', data: {}, now: START })
    })
    time = START + RETENTION_S + 1500
    await toolkit.db.transaction((trx) =>
      recordNotice(trx, { event: 'job.failed', subject: 'job:new', data: {}, now: time }),
    )

    expect(await toolkit.notices.removeOld(AbortSignal.abort())).toBe(0)
    expect(await toolkit.notices.removeOld()).toBe(1501)

    expect(await noticesOf(fixture)).toMatchObject([{ subject: 'job:new' }])
    expect(await toolkit.db.reader('notice_deliveries').select('id')).toHaveLength(1)
    expect(await toolkit.notices.removeOld()).toBe(0)
  })
})

test('the attempts of a delivery cover about a day', () => {
  const delays = (random: number) =>
    Array.from({ length: ATTEMPTS_MAX - 1 }, (_, at) => retryDelay(at + 1, random) ?? 0)
  const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0)
  expect(delays(0.5)[0]).toBe(30)
  expect(sum(delays(0)) / 3600).toBeGreaterThan(16)
  expect(sum(delays(1)) / 3600).toBeLessThan(27)
  expect(retryDelay(ATTEMPTS_MAX, 0.5)).toBeUndefined()
})

onBoth('notices of channels', (open) => {
  test('are written with the change, one for several, and only for subscribed targets', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const [one, two] = [await fixture.channel({ name: 'east' }), await fixture.channel({ name: 'west' })]
    await toolkit.channels.setStatus(root, one.id, 2)
    expect(await noticesOf(fixture)).toEqual([])

    await hook(fixture, root, ['channel.disabled'], { gateway: true })
    await toolkit.channels.setStatus(root, one.id, 1)
    await toolkit.channels.disableAutomatically(GATEWAY, one.id, 'status code 401')
    await toolkit.channels.setStatus(root, one.id, 1)
    await toolkit.channels.setStatusOfMany(root, [one.id, two.id], 2)

    const channels = [{ id: one.id, name: 'east', reason: 'status code 401', by: 'automatic' }]
    expect(await noticesOf(fixture)).toMatchObject([
      { event: 'channel.disabled', subject: `channel:${one.id}`, user_id: null, data: { count: 1, channels } },
      { subject: 'channels', data: { count: 2, channels: [{ by: 'manual' }, { name: 'west' }] } },
    ])
  })
})

onBoth('notices of circuits', (open) => {
  const opened = (fixture: TestToolkit, channels: readonly number[], created_at: number) =>
    fixture.toolkit.db.transaction((trx) => record(trx, channels, created_at))
  const record = (trx: Knex.Transaction, channels: readonly number[], created_at: number) =>
    recordChannelEvents(
      trx,
      channels.map((channel_id) => ({
        channel_id,
        event: 'opened',
        scope: 'channel',
        reason: 'status 500',
        created_at,
      })),
    )
  const subjects = async (fixture: TestToolkit) => (await noticesOf(fixture)).map(({ subject }) => subject)

  test('are limited to one in 15 minutes per channel', async () => {
    const fixture = await open()
    await hook(fixture, fixture.root, ['circuit.opened'], { gateway: true })
    const [one, two] = [(await fixture.channel()).id, (await fixture.channel()).id]
    await opened(fixture, [one, one], START)
    expect(await noticesOf(fixture)).toMatchObject([
      { event: 'circuit.opened', subject: `channel:${one}`, data: { count: 1, channels: [{ reason: 'status 500' }] } },
    ])
    await opened(fixture, [one, two], START + 899)
    expect(await subjects(fixture)).toEqual([`channel:${one}`, `channel:${two}`])
    await opened(fixture, [one, two], START + 900)
    expect(await subjects(fixture)).toEqual([`channel:${one}`, `channel:${two}`, `channel:${one}`])
  })

  test('are written once although several processes open them concurrently', async () => {
    const fixture = await open()
    await hook(fixture, fixture.root, ['circuit.opened'], { gateway: true })
    const [one, two] = [(await fixture.channel()).id, (await fixture.channel()).id]
    const other = await fixture.another()
    let second: Promise<void> | undefined
    await fixture.toolkit.db.transaction(async (trx) => {
      await record(trx, [one, two], START)
      second = other.db.transaction((own) => record(own, [two, one], START + 1))
      await sleep(200)
    })
    await second
    expect(await subjects(fixture)).toEqual([`channel:${one}`, `channel:${two}`])
  })
})

onBoth('the notice of a payment', (open) => {
  test('is written once, with the credit, to its user and the gateway only', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const payer = await fixture.user()
    const other = await fixture.user()
    for (const [key, value] of Object.entries({
      PayAddress: 'https://pay.example.com',
      EpayId: MERCHANT.id,
      EpayKey: MERCHANT.key,
      ServerAddress: 'https://gw.example.com',
    })) {
      await toolkit.options.set(root, key, value)
    }
    const own = await hook(fixture, payer, ['payment.completed'])
    await hook(fixture, other, ['payment.completed'])
    const gateway = await hook(fixture, root, ['payment.completed'], { gateway: true })
    const { form } = await toolkit.wallet.pay(payer, { amount: 10, payment_method: 'zfb' })

    await Promise.all([1, 2, 3].map(() => toolkit.wallet.notify(notificationOf({ ...form }), '127.0.0.1')))

    expect(await noticesOf(fixture)).toMatchObject([
      { event: 'payment.completed', user_id: payer.id, data: { username: payer.username, quota: 5_000_000 } },
    ])
    const targets = await toolkit.db.reader('notice_deliveries').orderBy('target_id').pluck('target_id')
    expect(targets.map(Number)).toEqual([own.id, gateway.id].sort((a, b) => a - b))
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

describe('the notice of a job', () => {
  test('is written when it fails, and not again within 15 minutes', async () => {
    let time = START
    const fixture = await openTestToolkit({ now: () => time })
    await hook(fixture, fixture.root, ['job.failed'], { gateway: true })
    const { jobs } = fixture.toolkit
    const run = { name: 'log-clear', holder: 'here/1' }
    for (const wait of [60, 60, 900]) {
      await jobs.begin(run)
      await jobs.end({ ...run, outcome: 'failed: disk full', failure: 'disk full' })
      time += wait
    }
    await jobs.begin(run)
    await jobs.end({ ...run, outcome: 'failed: disk full', failure: 'disk full' })
    await jobs.begin(run)
    await jobs.end({ ...run, outcome: 'done' })
    const notice = { event: 'job.failed', subject: 'job:log-clear', data: { reason: 'disk full' } }
    expect(await noticesOf(fixture)).toMatchObject([notice, notice])
  })
})
