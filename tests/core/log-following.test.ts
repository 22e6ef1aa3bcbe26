import { expect, test } from 'vitest'
import type { Log } from '../../core/logs/log.ts'
import { onBoth, openTestToolkit, skipWithoutPostgres } from '../support/toolkit.ts'

onBoth('reading the whole log', (open) => {
  test('returns each row once, of all users and of one user, whose times may differ from the order of ids', async () => {
    const { toolkit, root, user } = await open()
    const ann = await user()
    const rows = Array.from({ length: 2500 }, (_, at) => ({
      user_id: at % 5 === 0 ? root.id : ann.id,
      username: at % 5 === 0 ? 'root' : ann.username,
      type: 9,
      created_at: 1000 + ((at * 7) % 3),
    }))
    await toolkit.db.transaction((trx) => trx.batchInsert('logs', rows, 400))
    const read = async (username?: string) => {
      const rows: Log[] = []
      for await (const batch of toolkit.logs.scan(root, { type: 9, ...(username !== undefined && { username }) })) {
        rows.push(...batch)
      }
      return [rows.length, new Set(rows.map(({ id }) => id)).size]
    }
    expect(await read()).toEqual([2500, 2500])
    expect(await read(ann.username)).toEqual([2000, 2000])
    expect(await read('no-such-user')).toEqual([0, 0])
  })
})

test('following the log on PostgreSQL returns rows that are committed late, and skips rows that never are', async ({
  skip,
}) => {
  await skipWithoutPostgres({ skip })
  const { toolkit, root } = await openTestToolkit({ database: 'postgres' })
  const { db, logs } = toolkit
  const row = (content: string) => ({ user_id: root.id, type: 9, content })
  const contentsOf = ({ items }: { items: Log[] }) => items.map(({ content }) => content)
  const first = await logs.follow(root, { type: 9 }, { last: 10 })

  const failing = db.transaction(async (trx) => {
    await trx('logs').insert(row('never'))
    throw new Error('rolled back')
  })
  await expect(failing).rejects.toThrow('rolled back')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let inserted = () => {}
  const isInserted = new Promise<void>((resolve) => {
    inserted = resolve
  })
  const late = db.transaction(async (trx) => {
    await trx('logs').insert(row('late'))
    inserted()
    await released
  })
  await isInserted
  await db.transaction((trx) => trx('logs').insert(row('early')))
  const second = await logs.follow(root, { type: 9 }, { cursor: first.cursor })
  release()
  await late
  const third = await logs.follow(root, { type: 9 }, { cursor: second.cursor })
  const fourth = await logs.follow(root, { type: 9 }, { cursor: third.cursor })

  expect([second, third, fourth].map(contentsOf)).toEqual([['early'], ['late'], []])
})
