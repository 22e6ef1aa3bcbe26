import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'

describe('GET /api/ledger/verify', () => {
  test('shows only root whether the ledger balances, and the differing users', async () => {
    const world = await openTestGateway()
    const api = openApi(world)
    const ann = await world.user({ quota: 1000 })
    await world.charge(ann, { quota: 7 })
    const root = await api.as(world.root)
    const verify = async () => (await root.get('/api/ledger/verify')).body.data
    expect(await verify()).toMatchObject({ equal: true, users: 2, charges: 7, differences: [] })
    await world.toolkit.db.transaction((trx) => trx('users').where({ id: ann.id }).increment('quota', 5))
    expect(await verify()).toMatchObject({
      equal: false,
      differences: [{ username: ann.username, quota: 998, expected: 993 }],
    })
    const admin = await api.as(await world.user({ role: 10 }))
    expect((await admin.get('/api/ledger/verify')).body.success).toBe(false)
  })
})
