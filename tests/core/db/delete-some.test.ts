import type { Knex } from 'knex'
import { expect, test } from 'vitest'
import { deleteSome } from '../../../core/db/delete-some.ts'
import { onBoth } from '../../support/toolkit.ts'

onBoth('what has expired', (open) => {
  test('deletes in batches, and nothing else', async () => {
    const { toolkit } = await open()
    const { db } = toolkit
    const row = (n: number, expires_at: number) => ({
      purpose: n % 2 ? 'a' : 'b',
      subject_hash: String(n),
      code_hash: '',
      created_at: 0,
      expires_at,
    })
    await db.transaction((trx) =>
      trx.batchInsert('verifications', [...Array.from({ length: 25 }, (_, n) => row(n, 5)), row(100, 50)], 100),
    )
    const expired = {
      key: ['purpose', 'subject_hash'],
      matching: (rows: Knex.QueryBuilder) => rows.where('expires_at', '<', 10),
    }
    const removed: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      removed.push(await db.transaction((trx) => deleteSome(trx, 'verifications', { ...expired, rowsMax: 10 })))
    }
    expect(removed).toEqual([10, 10, 5, 0])
    expect(await db.reader('verifications').pluck('subject_hash')).toEqual(['100'])
  })

  test('of sessions does not block a sign-in', async () => {
    const { toolkit, root } = await open()
    const { db } = toolkit
    const old = Array.from({ length: 700 }, (_, n) => ({
      id_hash: `old-${n}`,
      user_id: 0,
      data: '{}',
      created_at: 0,
      expires_at: 1,
    }))
    await db.transaction((trx) => trx.batchInsert('sessions', old, 100))
    const left = async () => Number((await db.reader('sessions').where({ expires_at: 1 }).count({ n: '*' }))[0]?.n)
    const counts: number[] = []
    for (let turn = 0; turn < 4; turn++) {
      await toolkit.sessions.create(root.id)
      counts.push(await left())
    }
    expect(counts).toEqual([500, 300, 100, 0])
  })
})
