import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'

describe('GET /api/ledger/verify', () => {
  test('shows only root whether the ledger balances, and the differing users', async () => {
    const fixture = await openTestGateway()
    const api = openApi(fixture)
    const ann = await fixture.user({ quota: 1000 })
    await fixture.charge(ann, { quota: 7 })
    const root = await api.as(fixture.root)
    const verify = async () => (await root.get('/api/ledger/verify')).body.data
    expect(await verify()).toMatchObject({ equal: true, users: 2, charges: 7, differences: [] })
    await fixture.toolkit.db.transaction((trx) => trx('users').where({ id: ann.id }).increment('quota', 5))
    expect(await verify()).toMatchObject({
      equal: false,
      differences: [{ username: ann.username, quota: 998, expected: 993 }],
    })
    const admin = await api.as(await fixture.user({ role: 10 }))
    expect((await admin.get('/api/ledger/verify')).body.success).toBe(false)
  })
})
