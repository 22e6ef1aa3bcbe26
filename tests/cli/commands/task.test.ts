import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { asyncTask, drawing } from '../../support/task-rows.ts'
import { BACKINGS, openBacking } from '../backings.ts'

const AT = Date.UTC(2026, 0, 31) / 1000

/** Answers the access token of ann as well. */
async function worldWithTasks(kind: (typeof BACKINGS)[number]) {
  const world = await openBacking(kind)
  const tokenOfAnn = await world.inside(async (toolkit, root) => {
    const ann = await toolkit.accounts.create(root, { username: 'ann', password: 'correct horse', quota: 10_000 })
    const music = { platform: 'suno', action: 'MUSIC', submit_time: AT, progress: '100%', quota: 50_000 }
    const ownTask = { ...music, user_id: root.id, channel_id: 3 }
    await asyncTask(toolkit, { ...ownTask, task_id: 'one', status: 'SUCCESS', data: '[1]' })
    await asyncTask(toolkit, { ...music, platform: 'other', user_id: ann.id, task_id: 'else' })
    await asyncTask(toolkit, { ...music, user_id: ann.id, task_id: 'two', status: 'FAILURE', fail_reason: 'no credit' })
    const picture = { action: 'IMAGINE', submit_time: AT * 1000, progress: '50%', prompt: 'a hill' }
    await drawing(toolkit, { ...picture, user_id: ann.id, mj_id: 'three', status: 'IN_PROGRESS' })
    return toolkit.accessTokens.create(ann)
  })
  return { ...world, tokenOfAnn }
}

describe.each(BACKINGS)('task, on a %s', (kind) => {
  const world = shared(() => worldWithTasks(kind))
  const ids = async (...flags: string[]) => {
    const { items } = await world().json('task', 'list', ...flags)
    return items.map(({ task_id, mj_id }: Record<string, string>) => task_id ?? mj_id)
  }

  test('list shows music or drawings newest first, filtered by status, user, channel and time', async () => {
    expect(await ids('--since', '2026-01-31', '--limit', '1', '--page', '2')).toEqual(['one'])
    expect(await ids('--all', '--sort', 'id')).toEqual(['one', 'two'])
    expect(await ids('--channel', '3')).toEqual(['one'])
    const narrow = ['--user', 'ann', '--status', 'in_progress', '--since', '2026-01-31', '--until', '2026-01-31']
    expect(await ids('--kind', 'drawing', ...narrow)).toEqual(['three'])
    expect(await ids('--action', 'music', '--id', 'one')).toEqual(['one'])
    for (const flags of [
      ['--action', 'lyrics'],
      ['--id', 'three'],
      ['--kind', 'drawing', '--action', 'music'],
      ['--kind', 'drawing', '--user', 'root'],
    ]) {
      expect(await ids(...flags)).toEqual([])
    }
    const { stdout } = await world().run(['task', 'list', '--status', 'FAILURE'])
    expect(stdout).toMatch(/2026-01-31T00:00:00Z +MUSIC +FAILURE +100% +2 +- +50000 \(\$0\.10\) +two +no credit/)
  })

  test('get shows one whole task, and reports an unknown id', async () => {
    expect(await world().json('task', 'get', '1')).toMatchObject({ task_id: 'one', data: [1], channel_id: 3 })
    expect((await world().run(['task', 'get', '1', '--kind', 'drawing'])).stdout).toMatch(/^prompt +a hill$/m)
    expect(await world().run(['task', 'get', '9'])).toMatchObject({
      exitCode: 3,
      stderr: 'error: task 9 does not exist',
    })
  })

  test.each([
    ['--kind', 'film'],
    ['--channel', '0'],
    ['--since', 'soon'],
  ])('list rejects %s %s', async (flag, value) => {
    expect(await world().run(['task', 'list', flag, value])).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

test('a common user of a server gets only their own tasks', async () => {
  const world = await worldWithTasks('server')
  const env = { ...world.env, TOLLGATE_TOKEN: world.tokenOfAnn }
  const listed = await world.run(['task', 'list', '--json'], { env })
  expect(JSON.parse(listed.stdout)).toMatchObject({ total: 1, items: [{ task_id: 'two', channel_id: 0 }] })
  expect((await world.run(['task', 'get', '1'], { env })).exitCode).toBe(3)
  expect((await world.run(['task', 'get', '1', '--kind', 'drawing'], { env })).exitCode).toBe(0)
})
