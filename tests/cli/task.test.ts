import { expect, test } from 'vitest'
import { asyncTask, drawing } from '../support/task-rows.ts'
import { createWorld } from './support.ts'

const AT = Date.UTC(2026, 0, 31) / 1000

async function worldWithTasks() {
  const world = await createWorld()
  await world.inside(async (toolkit, root) => {
    const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'password1', quota: 10_000 })
    const music = { platform: 'suno', action: 'MUSIC', submit_time: AT, progress: '100%', quota: 50_000 }
    await asyncTask(toolkit, {
      ...music,
      user_id: root.id,
      channel_id: 3,
      task_id: 'one',
      status: 'SUCCESS',
      data: '[1]',
    })
    await asyncTask(toolkit, { ...music, platform: 'other', user_id: ann.id, task_id: 'else' })
    await asyncTask(toolkit, { ...music, user_id: ann.id, task_id: 'two', status: 'FAILURE', fail_reason: 'no credit' })
    const picture = { action: 'IMAGINE', submit_time: AT * 1000, progress: '50%', prompt: 'a hill' }
    await drawing(toolkit, { ...picture, user_id: ann.id, mj_id: 'three', status: 'IN_PROGRESS' })
  })
  return world
}

test('task list shows music or drawings newest first, and narrows by state, user, channel and time', async () => {
  const world = await worldWithTasks()
  const ids = async (...flags: string[]) => {
    const { items } = await world.json('task', 'list', ...flags)
    return items.map(({ task_id, mj_id }: Record<string, string>) => task_id ?? mj_id)
  }
  expect(await ids('--since', '2026-01-31', '--limit', '1', '--page', '2')).toEqual(['one'])
  const narrow = ['--user', 'ann', '--status', 'in_progress', '--since', '2026-01-31', '--until', '2026-01-31']
  expect(await ids('--kind', 'drawing', ...narrow)).toEqual(['three'])
  expect(await ids('--action', 'music')).toEqual(['two', 'one'])
  for (const flags of [
    ['--action', 'lyrics'],
    ['--id', 'three'],
    ['--kind', 'drawing', '--action', 'music'],
  ]) {
    expect(await ids(...flags)).toEqual([])
  }
  expect(await ids('--id', 'one')).toEqual(['one'])
  expect(await ids('--kind', 'drawing', '--id', 'three', '--action', 'imagine')).toEqual(['three'])
  const { stdout } = await world.run(['task', 'list', '--status', 'FAILURE'])
  expect(stdout).toMatch(/2026-01-31T00:00:00Z +MUSIC +FAILURE +100% +2 +- +50000 \(\$0\.10\) +two +no credit/)
})

test('task get shows one whole, and says when there is none', async () => {
  const world = await worldWithTasks()
  expect(await world.json('task', 'get', '1')).toMatchObject({ task_id: 'one', data: [1] })
  expect((await world.run(['task', 'get', '1', '--kind', 'drawing'])).stdout).toMatch(/^prompt +a hill$/m)
  expect(await world.run(['task', 'get', '9'])).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('9') })
})
