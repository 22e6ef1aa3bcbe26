import { expect, test } from 'vitest'
import { asyncTask, drawing } from '../support/task-rows.ts'
import { onBoth } from '../support/toolkit.ts'

onBoth('drawings and tasks', (open) => {
  test('are shown only to their owner and to administrators, under any filter', async () => {
    const { toolkit, root, user } = await open()
    const [ann, bob] = [await user(), await user()]
    const row = { user_id: ann.id, channel_id: 7, submit_time: 5 }
    await drawing(toolkit, { ...row, mj_id: 'x', image_url: 'https://cdn.example/x' })
    await asyncTask(toolkit, { ...row, task_id: 'x', properties: '{"input":"a"}', data: '[1]' })
    const query = { channel_id: 7, start_timestamp: 5, end_timestamp: 5, page: 1 }

    expect(await toolkit.tasks.listDrawings(root, { ...query, mj_id: 'x' })).toMatchObject([{ channel_id: 7 }])
    expect(await toolkit.tasks.listTasks(root, { ...query, task_id: 'x' })).toMatchObject([
      { channel_id: 7, data: [1] },
    ])
    expect(await toolkit.tasks.listDrawings(ann)).toMatchObject([
      {
        image_url: expect.stringMatching(/^http:\/\/localhost:3000\/mj\/image\/x\?signature=[0-9a-f]{32}$/),
        channel_id: 7,
      },
    ])
    expect(await toolkit.tasks.listTasks(ann)).toMatchObject([{ channel_id: 0, properties: { input: 'a' } }])
    for (const filter of [{}, query, { page: Number.MAX_SAFE_INTEGER }]) {
      expect(await toolkit.tasks.listDrawings(bob, filter)).toEqual([])
      expect(await toolkit.tasks.listTasks(bob, filter)).toEqual([])
    }
  })

  test('are listed in filtered pages, and returned one by one', async () => {
    const { toolkit, root, user } = await open()
    const [ann, bob] = [await user(), await user()]
    const { tasks } = toolkit
    for (const [at, owner] of [ann, ann, bob].entries()) {
      const row = { user_id: owner.id, channel_id: at, submit_time: at, status: at ? 'FAILURE' : 'SUCCESS' }
      await drawing(toolkit, { ...row, mj_id: `d${at}` })
      await asyncTask(toolkit, { ...row, task_id: `t${at}` })
    }
    const listIds = async (actor: typeof root, filter = {}) => {
      const pages = [await tasks.pageOfDrawings(actor, filter), await tasks.pageOfTasks(actor, filter)]
      expect(pages[0]?.total).toBe(pages[1]?.total)
      return pages[1]?.items.map(({ id }) => id)
    }

    expect(await listIds(root)).toEqual([3, 2, 1])
    expect(await listIds(root, { page: 2, pageSize: 2 })).toEqual([1])
    expect(await listIds(root, { user_id: ann.id, status: 'FAILURE' })).toEqual([2])
    expect(await listIds(root, { channel_id: 2 })).toEqual([3])
    expect(await listIds(root, { start_timestamp: 1, end_timestamp: 1 })).toEqual([2])
    expect(await listIds(ann, { user_id: bob.id })).toEqual([2, 1])
    expect(await tasks.getDrawing(root, 3)).toMatchObject({ mj_id: 'd2', channel_id: 2 })
    expect(await tasks.getTask(ann, 2)).toMatchObject({ task_id: 't1', channel_id: 0, data: null })
    await expect(tasks.getTask(ann, 3)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND', params: { id: 3 } })
    await expect(tasks.getDrawing(bob, 1)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' })
  })
})
