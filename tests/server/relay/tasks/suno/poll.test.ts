import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { musicPoll } from '../../../../../server/relay/tasks/suno/poll.ts'
import { createOutboundClients } from '../../../../../server/relay/transport/outbound-clients.ts'
import { CHANNEL_KEY } from '../../../../support/gateway.ts'
import { sendJson, startUpstream } from '../../../../support/hand-made-upstream.ts'
import { startSunoServer } from '../../../../support/suno-server.ts'
import { bill, onBoth, openTestToolkit, type Person, type TestToolkit } from '../../../../support/toolkit.ts'

const NOW = 1_800_000_000
const HOUR = 3600
const PRICE = 500

/** A process that polls, on a clock of its own. */
async function poller({ toolkit }: Pick<TestToolkit, 'toolkit'>, clock: { now: number }) {
  const media = { bytesMax: 1, allowHosts: [] }
  const links = createOutboundClients({ idleTimeoutMs: 5000, media, options: toolkit.options })
  onTestFinished(() => links.close())
  const directory = await toolkit.channelDirectory()
  const job = musicPoll({ toolkit, directory, links, logger: pino({ level: 'silent' }), now: () => clock.now * 1000 })
  return (signal = new AbortController().signal) => job.run(signal)
}

/** Paid tasks, each as a submission leaves it. */
async function submitted(
  { toolkit }: TestToolkit,
  { person, channelId, ids, row = {} }: { person: Person; channelId: number; ids: string[]; row?: object },
): Promise<void> {
  for (const task_id of ids) {
    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: PRICE })
    const task = {
      platform: 'suno',
      task_id,
      request_id: `r-${task_id}`,
      user_id: person.id,
      channel_id: channelId,
      quota: PRICE,
      status: 'NOT_START',
      progress: '0%',
      submit_time: NOW,
      updated_at: NOW,
      ...row,
    }
    await toolkit.ledger.settle(hold, {
      ...bill(person, { quota: PRICE, channelId }),
      task: { table: 'tasks', row: task },
    })
  }
}

/** Tasks that cost nothing, as an import may bring them. */
async function unpaid(
  { toolkit }: TestToolkit,
  { person, channelId, count }: { person: Person; channelId: number; count: number },
): Promise<void> {
  const row = { platform: 'suno', user_id: person.id, channel_id: channelId, submit_time: NOW, updated_at: NOW }
  const rows = Array.from({ length: count }, (_, at) => ({ ...row, task_id: `t${at}`, progress: '0%' }))
  await toolkit.db.transaction((trx) => trx.batchInsert('tasks', rows, 30))
}

const rowsOf = ({ toolkit }: TestToolkit) =>
  toolkit.db.reader('tasks').orderBy('id').select('task_id', 'status', 'progress', 'fail_reason', 'data', 'start_time')
const refunds = ({ toolkit }: TestToolkit) =>
  toolkit.db.reader('ledger_entries').where({ kind: 'refund' }).orderBy('id').pluck('note')
const byId = <T extends { task_id: string }>(rows: T[]) => Object.fromEntries(rows.map((row) => [row.task_id, row]))

onBoth('a round of asking for music', (open) => {
  test("stores the upstream's status, refunds failures once, and does not poll ended tasks", async () => {
    const fixture = await open()
    const server = await startSunoServer()
    const person = await fixture.user({ quota: 10_000 })
    const { id: channelId } = await fixture.channel({
      type: 36,
      models: 'suno_music',
      key: CHANNEL_KEY,
      base_url: server.url,
    })
    const clock = { now: NOW + 60 }
    const poll = await poller(fixture, clock)
    await submitted(fixture, { person, channelId, ids: ['done', 'failed', 'going', 'unnamed', '', 'deep', 'large'] })
    // The charge of an imported task is unknown.
    await submitted(fixture, { person, channelId, ids: [''], row: { request_id: '' } })
    const songs = [{ id: 's', audio_url: 'https://cdn.example/s.mp3', title: '\0' }]
    server.report('done', { status: 'SUCCESS', data: songs })
    server.report('failed', { status: 'FAILURE', fail_reason: `no credit on ${CHANNEL_KEY} at http://10.0.0.1` })
    server.report('going', { status: 'IN_PROGRESS', start_time: NOW * 1000 })
    server.report('foreign', { status: 'FAILURE' })
    // What cannot be kept harms its own task alone.
    server.report('deep', { status: 'SUCCESS', data: JSON.parse('['.repeat(1000) + ']'.repeat(1000)) })
    server.report('large', { status: 'SUCCESS', data: ['x'.repeat(2 ** 18)] })

    expect(await poll()).toBe('8 polled, 6 ended')

    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${CHANNEL_KEY}`)
    const rows = byId(await rowsOf(fixture))
    expect(rows.done).toMatchObject({ status: 'SUCCESS', progress: '100%', data: JSON.stringify(songs) })
    for (const row of [rows.deep, rows.large]) expect(row).toMatchObject({ status: 'SUCCESS', data: null })
    expect(rows.failed).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason: 'no credit on *** at ***' })
    expect(rows.going).toMatchObject({ status: 'IN_PROGRESS', progress: '0%', start_time: NOW })
    expect(rows.unnamed).toMatchObject({ status: 'NOT_START', progress: '0%' })
    expect(rows['']).toMatchObject({ status: 'FAILURE', progress: '100%' })
    expect((await refunds(fixture)).sort()).toEqual(['', 'failed'])

    server.report('done', { status: 'FAILURE' })
    clock.now += 15
    await poll()
    expect(server.requests.at(-1)).toEqual(['going', 'unnamed'])
    clock.now += HOUR
    server.report('going', { status: 'SUCCESS' })
    await poll() // An hour has passed without a poll.
    expect((await rowsOf(fixture)).find(({ task_id }) => task_id === 'unnamed')).toMatchObject({ status: 'NOT_START' })
    for (let passed = 0; passed < HOUR; passed += 299) {
      clock.now += 299
      await poll()
    }
    expect(byId(await rowsOf(fixture))).toMatchObject({ unnamed: { status: 'FAILURE' }, going: { status: 'SUCCESS' } })
    expect((await refunds(fixture)).sort()).toEqual(['', 'failed', 'unnamed'])
    expect(await fixture.balance(person)).toBe(10_000 - 5 * PRICE)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('by two processes that both consider themselves leader refunds once', async () => {
    const fixture = await open()
    const server = await startSunoServer()
    const person = await fixture.user({ quota: 10_000 })
    const { id: channelId } = await fixture.channel({ type: 36, models: 'suno_music', base_url: server.url })
    const other = await fixture.another()
    const clock = { now: NOW }
    const polls = [await poller(fixture, clock), await poller({ toolkit: other }, clock)]
    const ids = Array.from({ length: 8 }, (_, at) => `t${at}`)
    await submitted(fixture, { person, channelId, ids })
    for (const id of ids) server.report(id, { status: 'FAILURE' })

    await Promise.all(polls.map((poll) => poll()))

    expect((await refunds(fixture)).sort()).toEqual(ids)
    expect(await fixture.balance(person)).toBe(10_000)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

test('each channel is polled for its own tasks, also a disabled one, and an error of one does not block another', async () => {
  const fixture = await openTestToolkit()
  const person = await fixture.user({ quota: 10_000 })
  const good = await startSunoServer()
  let questions = 0
  const garbage = await startUpstream((exchange) => {
    questions += 1
    return sendJson(exchange, '<html>')
  })
  const dead = 'http://127.0.0.1:1'
  const add = async (base_url: string) => (await fixture.channel({ type: 36, models: 'suno_music', base_url })).id
  const [one, two, three, gone] = [await add(good.url), await add(garbage.url), await add(dead), await add(good.url)]
  await fixture.toolkit.channels.setStatus(fixture.root, one, 2)
  await submitted(fixture, { person, channelId: one, ids: ['mine'] })
  await submitted(fixture, { person, channelId: two, ids: ['at-garbage'] })
  await unpaid(fixture, { person, channelId: two, count: 150 })
  await submitted(fixture, { person, channelId: three, ids: ['at-closed'] })
  await submitted(fixture, { person, channelId: gone, ids: ['of-deleted'] })
  await submitted(fixture, { person, channelId: one, ids: ['elsewhere'], row: { platform: 'other' } })
  await fixture.toolkit.channels.delete(fixture.root, gone)
  for (const id of ['mine', 'at-garbage', 'at-closed', 'elsewhere']) good.report(id, { status: 'SUCCESS' })
  const clock = { now: NOW }
  const poll = await poller(fixture, clock)

  await poll()

  expect(good.requests).toEqual([['mine']])
  // Not for the second hundred of its tasks.
  expect(questions).toBe(1)
  expect(byId(await rowsOf(fixture))).toMatchObject({
    mine: { status: 'SUCCESS' },
    'at-garbage': { status: 'NOT_START' },
    'at-closed': { status: 'NOT_START' },
    'of-deleted': { status: 'FAILURE', fail_reason: `获取渠道信息失败，请联系管理员，渠道ID：${gone}` },
    elsewhere: { status: 'NOT_START' },
  })
  expect(await refunds(fixture)).toEqual(['of-deleted'])
  for (let passed = 0; passed < HOUR; passed += 299) {
    clock.now += 299
    await poll()
  }
  expect((await refunds(fixture)).sort()).toEqual(['at-closed', 'at-garbage', 'of-deleted'])
  expect((await rowsOf(fixture)).filter(({ progress }) => progress !== '100%')).toHaveLength(1)
  expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
})

test('more tasks than one call allows are all polled, in calls of at most a hundred', async () => {
  const fixture = await openTestToolkit()
  const server = await startSunoServer()
  const person = await fixture.user()
  const { id: channelId } = await fixture.channel({ type: 36, models: 'suno_music', base_url: server.url })
  await unpaid(fixture, { person, channelId, count: 620 })
  const poll = await poller(fixture, { now: NOW })

  expect(await poll()).toBe('620 polled, 0 ended')

  expect(server.requests.map(({ length }) => length)).toEqual([100, 100, 100, 100, 100, 100, 20])
  expect(new Set(server.requests.flat()).size).toBe(620)
  const stopping = new AbortController()
  stopping.abort()
  await poll(stopping.signal)
  expect(server.requests).toHaveLength(7)
})
