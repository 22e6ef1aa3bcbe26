import { expect, test } from 'vitest'
import { asyncTask, drawing } from '../support/task-rows.ts'
import { onBoth } from '../support/toolkit.ts'

onBoth('drawings and tasks', (open) => {
  test('are shown to their owner and to administrators, whatever the filter', async () => {
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
      { image_url: 'http://localhost:3000/mj/image/x', channel_id: 7 },
    ])
    expect(await toolkit.tasks.listTasks(ann)).toMatchObject([{ channel_id: 0, properties: { input: 'a' } }])
    for (const filter of [{}, query, { page: Number.MAX_SAFE_INTEGER }]) {
      expect(await toolkit.tasks.listDrawings(bob, filter)).toEqual([])
      expect(await toolkit.tasks.listTasks(bob, filter)).toEqual([])
    }
  })
})
