import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { GATEWAY } from '../../../core/actor.ts'
import type { NoticeEvent } from '../../../core/notices/notice.ts'
import { recordNotice } from '../../../core/notices/outbox.ts'
import type { NewNoticeTarget } from '../../../core/notices/schema.ts'
import { createJobRunner } from '../../../server/jobs/runner.ts'
import { createDeliverNotice } from '../../../server/notices/deliver.ts'
import { ledgerCheckJob, noticeDeliveryJob } from '../../../server/notices/notice-jobs.ts'
import { createRootMails } from '../../../server/root-mails.ts'
import { configureMail, startMailServer } from '../../support/mail.ts'
import { onBoth, openTestToolkit, type TestToolkit } from '../../support/toolkit.ts'

const signal = new AbortController().signal
const WEBHOOK = {
  kind: 'webhook',
  name: 'hook',
  settings: { url: 'https://hooks.example.com/in', secret: 'a secret of sixteen or more' },
} as const

const target = ({ toolkit, root }: TestToolkit, events: NoticeEvent[], fields: Partial<NewNoticeTarget> = {}) =>
  toolkit.notices.targets.create(root, { ...WEBHOOK, events, gateway: true, ...fields })

test('a target with unreadable settings does not block others, and the job reports it', async () => {
  const fixture = await openTestToolkit()
  const { db, notices } = fixture.toolkit
  const [damaged, sound] = [await target(fixture, ['job.failed']), await target(fixture, ['job.failed'])]
  const now = Math.floor(Date.now() / 1000)
  await db.transaction(async (trx) => {
    await recordNotice(trx, { event: 'job.failed', subject: 'job:x', data: {}, now })
    await trx('notice_targets').where({ id: damaged.id }).update({ settings: 'damaged' })
  })
  const job = noticeDeliveryJob(notices, async () => {
    await sleep(100)
    return { delivered: true, status: 200, error: '' }
  })

  await expect(job.run(signal)).rejects.toThrow()

  const rows = await db.reader('notice_deliveries').orderBy('target_id').select('target_id', 'state')
  expect(rows).toEqual([
    { target_id: damaged.id, state: 'pending' },
    { target_id: sound.id, state: 'delivered' },
  ])
})

test('the job counts what it has delivered to all targets', async () => {
  const fixture = await openTestToolkit()
  const { db, notices } = fixture.toolkit
  for (let each = 0; each < 3; each++) await target(fixture, ['job.failed'])
  const now = Math.floor(Date.now() / 1000)
  await db.transaction((trx) => recordNotice(trx, { event: 'job.failed', subject: 'job:x', data: {}, now }))
  const job = noticeDeliveryJob(notices, async () => ({ delivered: true, status: 200, error: '' }))
  expect(await job.run(signal)).toBe('3 delivered')
})

onBoth('the daily check of the ledger', (open) => {
  test('writes a notice of differing balances, for subscribed targets', async () => {
    const fixture = await open()
    const { toolkit } = fixture
    const check = () => ledgerCheckJob(toolkit).run(signal)
    const user = await fixture.user({ quota: 1000 })
    await fixture.charge(user, { quota: 300 })
    await target(fixture, ['job.failed'])
    await target(fixture, ['ledger.mismatch'], { enabled: false })
    await toolkit.db.transaction((trx) => trx('users').where({ id: user.id }).increment('quota', 5))
    expect(await check()).toBeUndefined()

    await target(fixture, ['ledger.mismatch'])
    expect(await check()).toBe('1 users differ')
    const [notice, ...others] = await toolkit.db.reader('notices').select('event', 'subject', 'data', 'user_id')
    expect(others).toEqual([])
    expect(notice).toMatchObject({ event: 'ledger.mismatch', subject: 'ledger', user_id: null })
    expect(JSON.parse(notice.data)).toEqual({
      count: 1,
      differences: [
        { user_id: user.id, username: user.username, quota: 705, expected: 700, held_quota: 0, expected_held: 0 },
      ],
    })

    await toolkit.db.transaction((trx) => trx('users').where({ id: user.id }).decrement('quota', 5))
    expect(await check()).toMatch(/^\d+ users equal$/)
    expect(await toolkit.db.reader('notices').select('id')).toHaveLength(1)
  })
})

test.each<[string, NoticeEvent]>([
  ['a mail target of the same address', 'channel.disabled'],
  ['a mail target of another event', 'channel.enabled'],
])('root gets one mail about a disabled channel with %s', async (_, event) => {
  const fixture = await openTestToolkit()
  const { toolkit, root } = fixture
  const server = await startMailServer()
  await configureMail({ toolkit, root }, server)
  await toolkit.db.transaction((trx) => trx('users').where({ id: root.id }).update({ email: 'root@example.org' }))
  await target(fixture, [event], { kind: 'mail', settings: { address: 'Root@example.org' } })
  const channel = await fixture.channel()
  const mails = createRootMails({
    mail: toolkit.mail,
    rootReceivers: toolkit.accounts.rootReceivers,
    noticedAddresses: toolkit.notices.mailAddresses,
    onFailure: (error) => {
      throw error
    },
    gatherMs: 5,
  })
  const end = toolkit.channels.onChange(mails.reportChange)

  await toolkit.channels.disableAutomatically(GATEWAY, channel.id, 'status code 401')
  await mails.close()
  end()
  const deliver = createDeliverNotice({ mail: toolkit.mail, display: toolkit.notices.display, allowHosts: [] })
  await noticeDeliveryJob(toolkit.notices, deliver).run(signal)

  expect(server.mails).toHaveLength(1)
  expect(server.mails[0]?.body).toContain('401')
})

test('a job that fails again soon, or permanently, is reported after its quiet time', async () => {
  let time = 1_800_000_000
  const fixture = await openTestToolkit({ now: () => time })
  const { db, jobs } = fixture.toolkit
  await target(fixture, ['job.failed'])
  const runner = createJobRunner({ jobs, node: 'a', onFailure: () => {} })
  async function run(fails: boolean): Promise<void> {
    time += 60
    const work = () => (fails ? Promise.reject(new Error('disk full')) : Promise.resolve(undefined))
    expect(await runner.start({ name: 'x', everyMs: 1000, run: work }, { now: true })).toBe('begun')
    await expect.poll(() => db.reader('jobs').where({ name: 'x' }).first('finished_at')).toEqual({ finished_at: time })
  }
  const told = async () => (await db.reader('notices').select('id')).length

  for (const fails of [true, false, true, true]) await run(fails)
  expect(await told()).toBe(1)
  time += 900
  await run(true)
  expect(await told()).toBe(2)
  time += 900
  await run(true)
  expect(await told()).toBe(2)
  await runner.close()
})
