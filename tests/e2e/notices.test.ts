import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { recordNotice } from '../../core/notices/outbox.ts'
import { CLAIM_S } from '../../core/notices/outgoing.ts'
import { startUpstream } from '../support/hand-made-upstream.ts'
import { startServer } from '../support/server-process.ts'
import { onBoth, type TestToolkit } from '../support/toolkit.ts'

const settings = { MEDIA_ALLOW_HOSTS: '127.0.0.1' }
const SECRET = 'a secret of sixteen or more'

async function target({ toolkit, root }: TestToolkit, url: string): Promise<number> {
  const hook = { kind: 'webhook', name: 'ops', settings: { url, secret: SECRET }, gateway: true } as const
  return (await toolkit.notices.targets.create(root, { ...hook, events: ['job.failed'] })).id
}

const write = ({ toolkit }: TestToolkit, names: readonly string[]) =>
  toolkit.db.transaction(async (trx) => {
    const now = Math.floor(Date.now() / 1000)
    for (const name of names) {
      await recordNotice(trx, { event: 'job.failed', subject: `job:${name}`, data: { job: name }, now })
    }
  })

/** A claim of a process that died lapses after a minute: here at once. */
const lapse = ({ toolkit }: TestToolkit) =>
  toolkit.db.transaction((trx) => trx('notice_deliveries').where({ state: 'pending' }).decrement('next_at', CLAIM_S))

const names = Array.from({ length: 12 }, (_, at) => `j${at}`)
const sorted = (list: readonly string[]) => [...list].sort()

onBoth('notices of processes', (open, database) => {
  test('after SIGKILL in the middle of deliveries, the next process delivers exactly the pending ones', async () => {
    const fixture = await open()
    const heard: string[] = []
    let isHanging = false
    const { url } = await startUpstream(({ body, response }) => {
      heard.push(String(body.subject).slice('job:'.length))
      // The fifth gets no reply before the process dies.
      isHanging ||= heard.length === 5
      if (!isHanging) response.end()
    })
    await target(fixture, url)
    await write(fixture, names)
    const first = await startServer(fixture, settings)
    await expect.poll(() => isHanging, { timeout: 30_000 }).toBe(true)
    first.signal('SIGKILL')
    await first.exited
    const before = heard.splice(0)
    expect(before).toEqual(names.slice(0, 5))

    const pending = await fixture.toolkit.db.reader('notice_deliveries').where({ state: 'pending' }).select('id')
    expect(pending).toHaveLength(names.length - 4)
    await lapse(fixture)
    const { url: second } = await startUpstream(({ body, response }) => {
      heard.push(String(body.subject).slice('job:'.length))
      response.end()
    })
    const [{ id } = { id: 0 }] = await fixture.toolkit.notices.targets.list(fixture.root, { gateway: true })
    await fixture.toolkit.notices.targets.update(fixture.root, id, { settings: { url: second } })
    await startServer(fixture, settings)
    await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(names.length - 4)
    await sleep(6000)
    // The one under way is made again; none that had arrived is.
    expect(sorted(heard)).toEqual(sorted(names.slice(4)))
    expect(await fixture.toolkit.db.reader('notice_deliveries').where({ state: 'pending' }).select('id')).toEqual([])
  }, 180_000)

  test('after SIGKILL, the next process writes each threshold that was reached meanwhile, once', async () => {
    const world = await open()
    const { toolkit, root } = world
    const hook = {
      kind: 'webhook',
      name: 'ops',
      settings: { url: 'https://hooks.example.com/in', secret: SECRET },
    } as const
    await toolkit.notices.targets.create(root, { ...hook, events: ['balance.reached'], gateway: true })
    const users = await Promise.all(names.map(() => world.user({ quota: 1000 })))
    await toolkit.notices.levels.check(new AbortController().signal)
    const first = await startServer(world, settings)
    await Promise.all(users.map((user) => world.charge(user, { quota: 900 })))
    first.signal('SIGKILL')
    await first.exited
    await startServer(world, settings)
    const subjects = () => toolkit.db.reader('notices').where({ event: 'balance.reached' }).pluck('subject')
    await expect.poll(async () => (await subjects()).length, { timeout: 120_000 }).toBe(users.length)
    await toolkit.notices.levels.check(new AbortController().signal)
    expect(sorted(await subjects())).toEqual(sorted(users.map(({ id }) => `user:${id}`)))
  }, 240_000)

  // On SQLite the same claims are tested without processes.
  test.runIf(database === 'postgres')(
    'two processes deliver each notice once',
    async () => {
      const fixture = await open()
      const heard: string[] = []
      const { url } = await startUpstream(({ body, response }) => {
        heard.push(String(body.subject).slice('job:'.length))
        response.end()
      })
      await target(fixture, url)
      await Promise.all([startServer(fixture, settings), startServer(fixture, settings)])
      await write(fixture, names)
      await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(names.length)
      await sleep(6000)
      expect(sorted(heard)).toEqual(sorted(names))
    },
    180_000,
  )
})
