import { expect, test } from 'vitest'
import { closeGate } from '../support/gates.ts'
import { onBoth } from '../support/toolkit.ts'

onBoth('ephemeral keys of realtime sessions', (open) => {
  test('are at most 1000 per user, also after concurrent calls', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const key = { userId: root.id, tokenId: 1, pinnedChannelId: 0, model: 'gpt-realtime', session: {} }
    const create = () => toolkit.realtimeKeys.create(key, { seconds: 600 })
    await create()
    const [row] = await toolkit.db.reader('realtime_keys').select()
    const others = Array.from({ length: 998 }, (_, at) => ({ ...row, key_hash: `other-${at}` }))
    await toolkit.db.transaction((trx) => trx.batchInsert('realtime_keys', others, 50))

    const gate = await closeGate(fixture, { table: 'realtime_keys' })
    const calls = Promise.allSettled([create(), create(), create()])
    await gate.waiting(3)
    await gate.open()

    const rejected = (await calls).filter((call) => call.status === 'rejected')
    expect(rejected.map(({ reason }) => reason)).toMatchObject([{ code: 'RATE_LIMITED' }, { code: 'RATE_LIMITED' }])
    expect(await toolkit.db.reader('realtime_keys').pluck('key_hash')).toHaveLength(1000)
  })
})
