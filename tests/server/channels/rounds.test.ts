import { describe, expect, onTestFinished, test } from 'vitest'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { channelTestJob } from '../../../server/channels/jobs.ts'
import { createChannelRounds } from '../../../server/channels/rounds.ts'
import { createJobRunner } from '../../../server/jobs/runner.ts'
import { createRootMails } from '../../../server/root-mails.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { configureMail, startMailServer } from '../../support/mail.ts'
import { onBoth, openTestToolkit } from '../../support/toolkit.ts'

const NEVER = new AbortController().signal
const ROOT_MAIL = 'root@example.org'
const works = (exchange: Exchange) => sendJson(exchange, completion('hello', usage(3, 2)))
const lost = (exchange: Exchange) =>
  sendJson(exchange, { error: { message: 'no such key', code: 'invalid_api_key' } }, 401)

/** What a serving process has for its rounds. */
function member(toolkit: LocalToolkit, node: string, pauseMs = 0) {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => void failures.push(error)
  const mails = createRootMails({
    mail: toolkit.mail,
    rootReceivers: toolkit.accounts.rootReceivers,
    onFailure,
    gatherMs: 5,
    betweenMs: 5,
  })
  onTestFinished(toolkit.channels.onChange(mails.reportChange))
  const runner = createJobRunner({ jobs: toolkit.jobs, node, onFailure })
  const rounds = createChannelRounds({ toolkit, pauseMs, onFailure })
  return { mails, runner, rounds, failures }
}

onBoth('a round over channels', (open) => {
  test('a run of one process blocks all others; root gets one mail about its changes', async () => {
    const fixture = await open()
    const { toolkit, root, another, channel } = fixture
    await toolkit.db.transaction((trx) => trx('users').where({ id: root.id }).update({ email: ROOT_MAIL }))
    await toolkit.options.set(root, 'AutomaticDisableChannelEnabled', 'true')
    await toolkit.options.set(root, 'AutomaticEnableChannelEnabled', 'true')
    const server = await startMailServer()
    await configureMail({ toolkit, root }, server)
    let answer = lost
    let hold: Promise<void> = Promise.resolve()
    const { url } = await startUpstream(async (exchange) => {
      await hold
      answer(exchange)
    })
    const { id } = await channel({ name: 'eu', base_url: url })
    const byHand = await channel({ base_url: url })
    await toolkit.channels.setStatus(root, byHand.id, 2)
    const [one, other] = [member(toolkit, 'one'), member(await another(), 'other')]
    const round = async ({ runner, rounds, mails }: typeof one, asked = false) => {
      const begun = await runner.start(channelTestJob(rounds, asked ? { mails } : {}), { now: true })
      await expect.poll(async () => (await toolkit.jobs.list(root))[0]?.running).toBe(false)
      return begun
    }

    let go = () => {}
    hold = new Promise((resolve) => {
      go = resolve
    })
    const first = round(one)
    await expect.poll(async () => (await toolkit.jobs.list(root))[0]?.running).toBe(true)
    expect(await other.runner.start(channelTestJob(other.rounds, {}), { now: true })).toBe('running')
    expect(await one.runner.start(channelTestJob(one.rounds, {}), { now: true })).toBe('running')
    go()
    expect(await first).toBe('begun')
    expect(await toolkit.jobs.list(root)).toMatchObject([
      { outcome: 'done: 2 tested, 2 failed, 1 disabled, 0 enabled' },
    ])
    await round(other)

    // Both think that they lead, and both find what it is like now.
    answer = works
    await Promise.all([one.rounds.test(NEVER), other.rounds.test(NEVER)])
    await round(other, true)
    await Promise.all([one.mails.close(), other.mails.close()])
    const bodies = server.mails.map(({ body }) => body.trim())
    expect(bodies.sort()).toEqual(
      [
        `渠道「eu」（#${id}）已被启用`,
        `渠道「eu」（#${id}）已被禁用，原因：status code 401: no such key`,
        '渠道测试完成，共测试 2 个渠道，失败 0 个，禁用 0 个，启用 0 个。',
      ].sort(),
    )
    expect((await toolkit.channels.get(root, byHand.id)).status).toBe(2)
    expect([...one.failures, ...other.failures]).toEqual([])
  })
})

describe('a pause between channels', () => {
  test('is made in both runs, not for channels without a request, and ends with the run', async () => {
    const { toolkit, channel } = await openTestToolkit()
    const at: number[] = []
    const { url } = await startUpstream((exchange) => {
      at.push(performance.now())
      if (exchange.path.startsWith('/dashboard')) sendJson(exchange, { total_remaining: 1 })
      else works(exchange)
    })
    for (let n = 0; n < 2; n++) await channel({ type: 12, base_url: url })
    for (let n = 0; n < 5; n++) await channel({ type: 8, base_url: 'http://127.0.0.1:9' })
    await toolkit.db.transaction((trx) => trx('channels').where({ type: 8 }).update({ type: 11 }))
    const { rounds } = member(toolkit, 'one', 150)
    const started = performance.now()
    expect(await rounds.updateBalances(NEVER)).toBe(2)
    expect(performance.now() - started).toBeLessThan(1500)
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(149)

    const stopping = new AbortController()
    const patient = member(toolkit, 'two', 60_000)
    at.length = 0
    const round = patient.rounds.test(stopping.signal)
    await expect.poll(() => at).toHaveLength(1)
    stopping.abort()
    expect((await round).tested).toBeLessThanOrEqual(1)
    expect(at).toHaveLength(1)
  })
})

test('an exhausted account disables its key, with the last key the channel, and root is notified', async () => {
  const fixture = await openTestToolkit()
  const { toolkit, root, channel } = fixture
  await toolkit.db.transaction((trx) => trx('users').where({ id: root.id }).update({ email: ROOT_MAIL }))
  const server = await startMailServer()
  await configureMail({ toolkit, root }, server)
  let left = 0
  const { url } = await startUpstream((exchange) => {
    if (exchange.path.startsWith('/dashboard')) sendJson(exchange, { total_remaining: left })
    else works(exchange)
  })
  const setting = JSON.stringify({ multi_key_mode: 'random' })
  const { id } = await channel({ name: 'eu', type: 12, base_url: url, key: 'first-key\nsecond-key', setting })
  const { rounds, mails, failures } = member(toolkit, 'one')
  const keyed = async () => {
    const { status, multi_key } = await toolkit.channels.get(root, id)
    return { status, aside: multi_key?.set_aside ?? [] }
  }

  await rounds.updateBalances(NEVER)
  const { status, aside } = await keyed()
  expect(status).toBe(1)
  expect(aside).toMatchObject([{ index: 1, reason: '余额不足' }])
  await rounds.updateBalances(NEVER)
  expect(await keyed()).toMatchObject({ status: 3, aside: [{ index: 1 }, { index: 2 }] })
  await mails.close()
  const bodies = server.mails.map(({ body }) => body.trim()).join('\n')
  expect(bodies).toContain(`渠道「eu」（#${id}）的密钥 ${aside[0]?.digest} 已被禁用，原因：余额不足`)
  expect(bodies).toMatch(new RegExp(`渠道「eu」（#${id}）已被禁用，原因：.*余额不足`))

  // A test costs next to nothing and passes; only a balance brings it back, and only where that is wanted.
  const { id: single } = await channel({ type: 12, base_url: url, auto_ban: 0 })
  const refused = await channel({ type: 12, base_url: url })
  await toolkit.channels.disableAutomatically(root, refused.id, 'status code 401: no such key')
  await rounds.updateBalances(NEVER)
  const statuses = async () => {
    const all = [id, single, refused.id].map((each) => toolkit.channels.get(root, each))
    return (await Promise.all(all)).map(({ status }) => status)
  }
  await toolkit.options.set(root, 'ChannelDisableThreshold', '0')
  left = 5
  await rounds.updateBalances(NEVER)
  expect(await statuses()).toEqual([3, 3, 3])
  await toolkit.options.set(root, 'AutomaticEnableChannelEnabled', 'true')
  expect(await rounds.test(NEVER)).toMatchObject({ tested: 3, failed: 0, enabled: 1 })
  expect(await statuses()).toEqual([3, 3, 1])
  await toolkit.channels.disableAutomatically(root, refused.id, 'status code 401: no such key')
  await rounds.updateBalances(NEVER)
  expect(await statuses()).toEqual([1, 1, 3])
  expect((await keyed()).aside).toEqual([])
  expect(failures).toEqual([])
})
