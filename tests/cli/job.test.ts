import { expect, test } from 'vitest'
import { createWorld } from './support.ts'

test('doctor shows the job leader, and failures', async () => {
  const world = await createWorld()
  await world.inside(async ({ jobs, leases }) => {
    await leases.acquire('scheduler', 'web1/42/abc')
    await jobs.register('scheduler', [
      { name: 'channel-test', everyS: 600 },
      { name: 'quota-reminder', everyS: 30 },
    ])
    await jobs.begin({ name: 'quota-reminder', holder: 'web1/42/abc/1' })
    await jobs.end({ name: 'quota-reminder', holder: 'web1/42/abc/1', outcome: 'done' })
  })

  const finding = async () =>
    JSON.parse((await world.run(['doctor', '--json'])).stdout).find(({ check }: { check: string }) => check === 'jobs')
  expect(await finding()).toMatchObject({
    status: 'ok',
    message: 'leader web1/42/abc; no job has failed. See the last runs with: tollgate job list',
  })
  await world.inside(async ({ jobs }) => {
    await jobs.begin({ name: 'quota-reminder', holder: 'web1/42/abc/2' })
    await jobs.end({ name: 'quota-reminder', holder: 'web1/42/abc/2', outcome: 'failed: MAIL_FAILED' })
  })
  expect(await finding()).toMatchObject({ status: 'warn', message: 'quota-reminder failed: MAIL_FAILED' })
})
