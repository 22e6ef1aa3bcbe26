import { expect, test } from 'vitest'
import { createWorld } from './support.ts'

test('job list shows the regular work of the gateways; doctor tells who leads and what failed', async () => {
  const world = await createWorld()
  expect(await world.run(['job', 'list'])).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: expect.stringContaining('tollgate serve'),
  })
  await world.inside(async ({ jobs, leases }) => {
    await leases.take('scheduler', 'web1/42/abc')
    await jobs.register('scheduler', [
      { name: 'channel-test', everyS: 600 },
      { name: 'quota-reminder', everyS: 30 },
    ])
    await jobs.begin({ name: 'quota-reminder', holder: 'web1/42/abc/1' })
    await jobs.end({ name: 'quota-reminder', holder: 'web1/42/abc/1', outcome: 'done' })
  })
  const { stdout } = await world.run(['job', 'list'])
  expect(stdout).toMatch(/^channel-test +10 min +- +- +- +web1\/42\/abc$/m)
  expect(stdout).toMatch(/^quota-reminder +30 s +\S+Z +\S+Z +done +web1\/42\/abc$/m)
  expect(JSON.parse((await world.run(['job', 'list', '--json'])).stdout)).toMatchObject([
    { name: 'channel-test', every: 600, started_at: 0 },
    { name: 'quota-reminder', outcome: 'done', running: false },
  ])

  const finding = async () =>
    JSON.parse((await world.run(['doctor', '--json'])).stdout).find(({ check }: { check: string }) => check === 'jobs')
  expect(await finding()).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/^web1\/42\/abc leads; last runs: channel-test never, quota-reminder \d{4}-\S+Z$/),
  })
  await world.inside(async ({ jobs }) => {
    await jobs.begin({ name: 'quota-reminder', holder: 'web1/42/abc/2' })
    await jobs.end({ name: 'quota-reminder', holder: 'web1/42/abc/2', outcome: 'failed: MAIL_FAILED' })
  })
  expect(await finding()).toMatchObject({ status: 'warn', message: 'quota-reminder failed: MAIL_FAILED' })
})
