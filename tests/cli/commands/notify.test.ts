import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'

const SECRET = 'a secret of sixteen or more'
const EVENTS = ['--events', 'payment.completed']
const WEBHOOK = ['--url', 'https://10.0.0.1/in', '--secret', SECRET]

describe.each(BACKINGS)('notify, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test('add, list, update and remove manage targets, and none shows a secret', async () => {
    const { run, json } = world()
    const made = await json('notify', 'add', 'webhook', 'ops', '--gateway', ...WEBHOOK, '--events', 'job.failed')
    expect(made).toMatchObject({ kind: 'webhook', user_id: null, address: '10.0.0.1', events: ['job.failed'] })
    expect(await json('notify', 'list')).toEqual([])
    const changed = await json(
      'notify',
      'update',
      String(made.id),
      '--events',
      'job.failed,ledger.mismatch',
      '--disable',
    )
    expect(changed).toMatchObject({ events: ['job.failed', 'ledger.mismatch'], enabled: false })
    const list = await run(['notify', 'list', '--gateway'])
    expect(list.stdout).toContain('ledger.mismatch')
    expect(list.stdout + JSON.stringify([made, changed])).not.toContain(SECRET)
    expect((await run(['notify', 'remove', String(made.id)])).exitCode).toBe(2)
    expect(await json('notify', 'remove', String(made.id), '--yes')).toMatchObject({ id: made.id })
    expect((await run(['notify', 'remove', String(made.id), '--yes'])).exitCode).toBe(3)
  })

  test('test shows why delivery failed, deliveries lists it, and retry schedules it', async () => {
    const { run, json } = world()
    const { id } = await json('notify', 'add', 'webhook', 'mine', ...WEBHOOK, '--events', 'payment.completed')
    const failed = await run(['notify', 'test', String(id)])
    expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('its host is not a public one') })
    const [delivery] = await json('notify', 'deliveries', '--state', 'failed')
    expect(delivery).toMatchObject({ target_id: id, event: 'test', state: 'failed', attempts: 1 })
    expect((await run(['notify', 'deliveries'])).stdout).toContain('its host is not a public one')
    expect(await json('notify', 'retry', String(delivery.id))).toMatchObject({ state: 'pending' })
    expect(await json('notify', 'deliveries', '--before', String(delivery.id))).toEqual([])
    expect((await run(['notify', 'retry', '999'])).exitCode).toBe(3)
  })

  test('threshold shows and sets the percentages of the balance and of a key', async () => {
    const { run, json } = world()
    expect((await run(['notify', 'threshold'])).stderr).toContain('80% and 100%')
    const { id } = await json('token', 'create', `noticed-${kind}`)
    await json('notify', 'threshold', '--percents', '50,90')
    await json('notify', 'threshold', '--token', String(id), '--percents', '75')
    expect(await json('notify', 'threshold')).toMatchObject([
      { subject: 'token', subject_id: id, percents: [75] },
      { subject: 'user', percents: [50, 90] },
    ])
    expect(await json('notify', 'threshold', '--token', String(id))).toHaveLength(1)
    const { username } = await json('user', 'create', `thr-${kind}`.slice(0, 12), '--password', 'a-long-password')
    await json('notify', 'threshold', '--user', username, '--percents', '60')
    expect(await json('notify', 'threshold', '--user', username)).toMatchObject([{ subject: 'user', percents: [60] }])
    expect((await run(['notify', 'threshold', '--user', 'nobody-here'])).exitCode).toBe(3)
    const team = await json('team', 'create', `thr-team-${kind}`)
    await json('notify', 'threshold', '--team', `thr-team-${kind}`, '--percents', '40')
    expect(await json('notify', 'threshold', '--team', String(team.id))).toEqual([
      { subject: 'user', subject_id: team.id, percents: [40] },
    ])
    expect((await run(['notify', 'threshold', '--team', 'no-such-team'])).exitCode).toBe(3)
    expect((await run(['notify', 'threshold', '--team', 'a', '--user', 'b'])).exitCode).toBe(2)
    const ofToken = ['notify', 'threshold', '--token', String(id), '--percents', '10']
    expect((await run([...ofToken, '--team', `thr-team-${kind}`])).exitCode).toBe(2)
    expect((await run([...ofToken, '--user', username])).exitCode).toBe(2)
  })

  test.each([
    [['add', 'pigeon', 'x'], 2, /pigeon/],
    [['add', 'webhook', 'x', ...EVENTS, '--url', 'https://a.example', '--secret', 'short'], 2, /secret/],
    [['add', 'slack', 'x', ...EVENTS, '--url', 'ftp://a.example'], 2, /http/],
    [['add', 'mail', 'x', ...EVENTS, '--address', 'a@b.example'], 2, /account/],
    [['add', 'mail', 'x'], 2, /--events/],
    [['add', 'mail', 'x', '--events', ' , '], 2, /--events/],
    [['update', '1'], 2, /--events/],
    [['threshold', '--percents', '0'], 2, /--percents/],
    [['test', '999'], 3, /999/],
  ])('rejects %j', async (words, exitCode, message) => {
    const refused = await world().run(['notify', ...words])
    expect(refused).toMatchObject({ exitCode, stderr: expect.stringMatching(message) })
  })
})
