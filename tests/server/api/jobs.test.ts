import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'

describe('GET /api/jobs', () => {
  test('tells who leads and when each job ran last; the lead is given up when the gateway closes', async () => {
    const world = await openTestGateway({
      settings: { CHANNEL_TEST_FREQUENCY: '10', CHANNEL_UPDATE_FREQUENCY: '60', UPDATE_TASK: 'false' },
    })
    const admin = await openApi(world).as(await world.user({ role: 10 }))

    const jobs = async () => (await admin.get('/api/jobs')).body.data as Record<string, unknown>[]
    await expect
      .poll(async () => (await jobs()).filter(({ finished_at }) => Number(finished_at) > 0).map(({ name }) => name))
      .toEqual(expect.arrayContaining(['channel-balance', 'channel-test', 'quota-reminder']))
    const found = Object.fromEntries((await jobs()).map((job) => [job.name, job]))
    expect(found['channel-test']).toEqual({
      name: 'channel-test',
      every: 600,
      leader: expect.stringMatching(new RegExp(`/${process.pid}/`)),
      running: false,
      started_at: expect.any(Number),
      finished_at: expect.any(Number),
      outcome: 'done: 0 tested, 0 failed, 0 disabled, 0 enabled',
    })
    // This process may not ask upstreams for tasks, and leaves the lead in that to others.
    expect(Object.keys(found).filter((name) => name.endsWith('-poll'))).toEqual([])
    expect(await world.toolkit.leases.find('task-scheduler')).toBeUndefined()
    expect(found['channel-balance']).toMatchObject({ every: 3600, outcome: 'done: 0 balances' })

    await world.gateway.close()
    expect((await world.toolkit.jobs.list(world.root)).map(({ leader }) => leader)).not.toContain(
      expect.stringContaining('/'),
    )
    expect(await world.toolkit.leases.find('scheduler')).toBeUndefined()
  })
})
