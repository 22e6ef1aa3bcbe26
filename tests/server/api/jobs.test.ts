import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { drawing } from '../../support/task-rows.ts'

describe('GET /api/jobs', () => {
  test('shows the leader and the last run of each job; closing the gateway releases the lease', async () => {
    const fixture = await openTestGateway({
      settings: { CHANNEL_TEST_FREQUENCY: '10', CHANNEL_UPDATE_FREQUENCY: '60', UPDATE_TASK: 'false' },
    })
    const admin = await openApi(fixture).as(await fixture.user({ role: 10 }))

    const jobs = async () => (await admin.get('/api/jobs')).body.data as Record<string, unknown>[]
    await expect
      .poll(async () => (await jobs()).filter(({ finished_at }) => Number(finished_at) > 0).map(({ name }) => name))
      .toEqual(expect.arrayContaining(['channel-balance', 'channel-test', 'quota-reminder']))
    const jobsByName = Object.fromEntries((await jobs()).map((job) => [job.name, job]))
    expect(jobsByName['channel-test']).toEqual({
      name: 'channel-test',
      every: 600,
      leader: expect.stringMatching(new RegExp(`/${process.pid}/`)),
      running: false,
      started_at: expect.any(Number),
      finished_at: expect.any(Number),
      outcome: 'done: 0 tested, 0 failed, 0 disabled, 0 enabled',
    })
    // This process may not ask upstreams for tasks, and leaves the lead in that to others.
    expect(Object.keys(jobsByName).filter((name) => name.endsWith('-poll'))).toEqual([])
    expect(await fixture.toolkit.leases.find('task-scheduler')).toBeUndefined()
    expect(jobsByName['channel-balance']).toMatchObject({ every: 3600, outcome: 'done: 0 balances' })

    await fixture.gateway.close()
    expect((await fixture.toolkit.jobs.list(fixture.root)).map(({ leader }) => leader)).not.toContain(
      expect.stringContaining('/'),
    )
    expect(await fixture.toolkit.leases.find('scheduler')).toBeUndefined()
  })

  test('tasks are polled by an allowed process: one of a deleted channel ends', async () => {
    const fixture = await openTestGateway({ settings: { UPDATE_TASK: 'true' } })
    const ann = await fixture.user()
    await drawing(fixture.toolkit, { user_id: ann.id, mj_id: 'left', status: 'IN_PROGRESS', channel_id: 7 })

    // It has its first turn at once, which may have been before there was a drawing.
    await expect
      .poll(() => fixture.toolkit.tasks.getDrawing(ann, 1), { timeout: 50_000 })
      .toMatchObject({
        status: 'FAILURE',
        fail_reason: expect.stringContaining('7'),
      })
    const admin = await openApi(fixture).as(await fixture.user({ role: 10 }))
    const names = (await admin.get('/api/jobs')).body.data.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['drawing-poll', 'music-poll']))
  })
})
