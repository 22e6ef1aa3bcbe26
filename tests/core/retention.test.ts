import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asyncTask, drawing } from '../support/task-rows.ts'
import { bill, onBoth, type TestToolkit, testFolder } from '../support/toolkit.ts'

const DAY_S = 86_400
const NOW = Date.UTC(2026, 2, 20, 15) / 1000
const daysAgo = (days: number) => NOW - days * DAY_S

async function openAt(open: (options: { now: () => number }) => Promise<TestToolkit>) {
  const clock = { now: daysAgo(40) }
  const fixture = await open({ now: () => clock.now })
  const { toolkit, root } = fixture
  const person = await fixture.user({ quota: 1_000_000 })
  async function chargedAt(time: number, quota: number) {
    clock.now = time
    await fixture.charge(person, { quota })
  }
  /** The times of charges that the log has. */
  const left = () => toolkit.db.reader('logs').where({ type: 2 }).orderBy('created_at').pluck('created_at')
  /** Counts come late on PostgreSQL, where ids commit out of order. */
  async function counted() {
    await toolkit.logs.rollUpUsage()
    clock.now += 60
    await toolkit.logs.rollUpUsage()
    clock.now += 60
  }
  const set = (key: string, value: string) => toolkit.options.set(root, key, value)
  return { fixture, toolkit, root, person, clock, chargedAt, counted, left, set }
}

onBoth('retention of log rows', (open) => {
  test('is disabled by default; a number of days removes older days with an equal ledger, and the sums stay', async () => {
    const { toolkit, root, clock, chargedAt, counted, left, set } = await openAt(open)
    for (const [days, quota] of [
      [31, 1],
      [30, 10],
      [2, 100],
    ] as const)
      await chargedAt(daysAgo(days), quota)
    clock.now = NOW
    await counted()
    expect(await toolkit.retention.removeLogs()).toBe(0)
    expect((await toolkit.logs.stat(root, {})).quota).toBe(111)

    await set('LogRetentionDays', '30')
    expect(await toolkit.retention.removeLogs()).toBeGreaterThan(0)

    // The day of 30 days ago is kept as a whole.
    expect((await left()).map(Number)).toEqual([daysAgo(30), daysAgo(2)])
    expect((await toolkit.logs.stat(root, {})).quota).toBe(111)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    const dashboard = { scope: 'all', lastHours: 40 * 24, by: 'model', metric: 'quota' } as const
    expect((await toolkit.logs.dashboard(root, dashboard)).data?.totals).toMatchObject({ quota: 111, count: 3 })
    // Once a day is enough: no further entries for the same day.
    expect(await toolkit.retention.removeLogs()).toBe(0)
    expect(await toolkit.db.reader('ledger_entries').where({ kind: 'carry' }).pluck('quota')).toEqual([-1])
    const audit = await toolkit.audit.list(root, {})
    expect(audit.filter(({ action }) => action.startsWith('log.'))).toEqual([])
  })

  test('removes nothing before the dashboard has counted it', async () => {
    const { toolkit, clock, chargedAt, left, set } = await openAt(open)
    await chargedAt(daysAgo(31), 1)
    clock.now = NOW
    await set('LogRetentionDays', '30')
    const state = JSON.stringify({ done: 0, seen: 0, seenAt: NOW, closed: 0 })
    // On PostgreSQL rows are counted only a while after they were first seen; SQLite counts them at once.
    await toolkit.db.transaction((trx) => trx('meta').insert({ key: 'usage_hours', value: state }))
    const isPostgres = toolkit.db.kind === 'postgres'

    await toolkit.retention.removeLogs()
    expect(await left()).toHaveLength(isPostgres ? 1 : 0)
    for (let turn = 0; turn < 3; turn++) {
      clock.now += 60
      await toolkit.retention.removeLogs()
    }

    expect(await left()).toEqual([])
    const hours = await toolkit.db.reader('usage_hours').where({ kind: 'all' }).select('quota')
    expect(hours.map(({ quota }) => Number(quota))).toEqual([1])
  })

  test('runs during charges, stops on request, and resumes', async () => {
    const { fixture, toolkit, person, clock, counted, left, set } = await openAt(open)
    const rows = Array.from({ length: 1500 }, (_, at) => ({
      user_id: person.id,
      type: 4,
      created_at: daysAgo(40) + at,
    }))
    await toolkit.db.transaction((trx) => trx.batchInsert('logs', rows, 100))
    clock.now = NOW
    await counted()
    await set('LogRetentionDays', '30')
    const stop = new AbortController()
    const charging = (async () => {
      for (let each = 0; each < 5; each++) await fixture.charge(person, { quota: 1 })
      stop.abort()
    })()

    const first = await toolkit.retention.removeLogs(stop.signal)
    await charging
    const rest = await toolkit.retention.removeLogs()

    expect(first + rest).toBeGreaterThanOrEqual(1500)
    expect(await toolkit.db.reader('logs').where('created_at', '<', daysAgo(31))).toEqual([])
    expect(await left()).toHaveLength(5)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('archives rows first if a folder is set, and removes none if that fails', async () => {
    const { toolkit, clock, chargedAt, counted, left, set } = await openAt(open)
    await chargedAt(daysAgo(31), 1)
    clock.now = NOW
    await counted()
    const folder = await testFolder()
    await writeFile(join(folder, 'file'), '')
    await set('LogRetentionDays', '30')
    await set('LogArchiveBeforeRemoval', join(folder, 'file'))
    await expect(toolkit.retention.removeLogs()).rejects.toMatchObject({ code: 'LOG_ARCHIVE_FAILED' })
    expect(await left()).toHaveLength(1)

    await set('LogArchiveBeforeRemoval', join(folder, 'archive'))
    await toolkit.retention.removeLogs()

    expect(await left()).toEqual([])
    expect(await readdir(join(folder, 'archive'))).toContain('logs-2026-02-001.jsonl.gz')
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test.each(['-1', '1.5', '3651', '999999999999', 'x'])('rejects %j days', async (value) => {
    const { set } = await openAt(open)
    await expect(set('LogRetentionDays', value)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(set('TaskRetentionDays', value)).rejects.toMatchObject({ kind: 'invalid' })
    await expect(set('LogArchiveBeforeRemoval', 'relative/folder')).rejects.toMatchObject({ code: 'OPTION_FOLDER' })
  })
})

onBoth('retention of tasks', (open) => {
  test('removes finished tasks by their end, or by their start if no end is known, and no others', async () => {
    const { toolkit, clock, person, set } = await openAt(open)
    clock.now = NOW
    const row = { user_id: person.id, status: 'SUCCESS' }
    const times: [name: string, progress: string, submit: number, finish: number][] = [
      ['old', '100%', daysAgo(40), daysAgo(31)],
      ['no end', '100%', daysAgo(31), 0],
      ['long', '100%', daysAgo(40), daysAgo(3)],
      ['runs', '50%', daysAgo(40), 0],
    ]
    for (const [name, progress, submit, finish] of times) {
      await asyncTask(toolkit, { ...row, task_id: name, progress, submit_time: submit, finish_time: finish })
      const ms = { submit_time: submit * 1000, finish_time: finish * 1000 }
      await drawing(toolkit, { ...row, mj_id: name, progress, ...ms })
    }
    expect(await toolkit.retention.removeTasks()).toBe(0)

    await set('TaskRetentionDays', '30')
    expect(await toolkit.retention.removeTasks()).toBe(4)

    expect(await toolkit.db.reader('tasks').orderBy('id').pluck('task_id')).toEqual(['long', 'runs'])
    expect(await toolkit.db.reader('midjourneys').orderBy('id').pluck('mj_id')).toEqual(['long', 'runs'])
  })

  test('keeps a task whose upstream reports an end long ago, such as in another unit', async () => {
    const { toolkit, clock, person, set } = await openAt(open)
    clock.now = NOW
    const row = { user_id: person.id, status: 'SUCCESS', progress: '100%' }
    await drawing(toolkit, { ...row, mj_id: 'seconds', submit_time: daysAgo(1) * 1000, finish_time: daysAgo(1) })
    await asyncTask(toolkit, { ...row, task_id: 'clock', submit_time: daysAgo(1), finish_time: daysAgo(400) })
    await set('TaskRetentionDays', '30')
    expect(await toolkit.retention.removeTasks()).toBe(0)
    clock.now += 31 * DAY_S
    expect(await toolkit.retention.removeTasks()).toBe(2)
  })

  test('keeps failed tasks without a refund, because the ledger needs them as proof', async () => {
    const { toolkit, clock, person, set } = await openAt(open)
    clock.now = NOW
    const failed = { user_id: person.id, status: 'FAILURE', progress: '100%' }
    const times = { submit_time: daysAgo(31), finish_time: daysAgo(31) }
    const ms = { submit_time: daysAgo(31) * 1000, finish_time: daysAgo(31) * 1000 }
    for (const [name, request_id, quota] of [
      ['owed', 'r', 5],
      ['free', 'q', 0],
      ['of another gateway', '', 5],
    ] as const) {
      await asyncTask(toolkit, { ...failed, ...times, task_id: name, request_id, quota })
      await drawing(toolkit, { ...failed, ...ms, mj_id: name, request_id, quota })
    }
    await set('TaskRetentionDays', '30')

    expect(await toolkit.retention.removeTasks()).toBe(4)

    expect(await toolkit.db.reader('tasks').pluck('task_id')).toEqual(['owed'])
    expect(await toolkit.db.reader('midjourneys').pluck('mj_id')).toEqual(['owed'])
  })

  test('keeps the ledger equal although a refund names a deleted task', async () => {
    const { toolkit, clock, person, set } = await openAt(open)
    clock.now = daysAgo(31)
    const hold = await toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 50 })
    const row = {
      task_id: 'up-1',
      request_id: 'r',
      progress: '0%',
      user_id: person.id,
      quota: 50,
      submit_time: clock.now,
    }
    await toolkit.ledger.settle(hold, { ...bill(person, { quota: 50 }), task: { table: 'tasks', row } })
    const { id } = await toolkit.db.reader('tasks').first('id')
    await toolkit.taskLifecycle.advance('tasks', Number(id), { status: 'FAILURE' }, 'failure')
    clock.now = NOW
    await set('TaskRetentionDays', '30')

    expect(await toolkit.retention.removeTasks()).toBe(1)

    expect(await toolkit.db.reader('removed_tasks').pluck('reference')).toEqual([`tasks:${id}`])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
    // A task that was deleted by hand is still found.
    await toolkit.db.transaction((trx) => trx('removed_tasks').delete())
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: false })
  })
})
