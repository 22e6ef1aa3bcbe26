import { expect, test } from 'vitest'
import { bill, onBoth, openTestToolkit } from '../support/toolkit.ts'
import knex from 'knex'

onBoth('scratch', (open, kind) => {
  test('createRoot at once', async () => {
    const w = await open()
    await w.toolkit.db.transaction((trx) => trx('ledger_entries').delete())
    await w.toolkit.db.transaction((trx) => trx('users').delete())
    const b = await w.another()
    const out = await Promise.allSettled([w.toolkit.accounts.createRoot('password1'), b.accounts.createRoot('password2'), b.accounts.createRoot('password2', 'boss')])
    console.log(kind, out.map((o) => o.status === 'fulfilled' ? typeof o.value : String(o.reason)))
    expect(out.filter((o) => o.status === 'fulfilled' && o.value)).toHaveLength(1)
    expect(out.filter((o) => o.status === 'rejected')).toHaveLength(0)
  })
  test('channel same name at once', async () => {
    const w = await open()
    const out = await Promise.allSettled(Array.from({ length: 8 }, () => w.channel({ name: 'same' })))
    expect(out.filter((o) => o.status === 'fulfilled')).toHaveLength(1)
  })
  test('token same name at once', async () => {
    const w = await open()
    const out = await Promise.allSettled(Array.from({ length: 8 }, () => w.token(w.root, { name: 'same' })))
    expect(out.filter((o) => o.status === 'fulfilled')).toHaveLength(1)
  })
  test('two clears at once', async () => {
    const w = await open({ now: () => 1_700_000_000 })
    const b = await w.another()
    const p = await w.user({ quota: 1000 })
    for (let i = 0; i < 20; i++) await w.charge(p, { quota: 5 })
    await Promise.all([w.toolkit.logs.clear(w.root, 1_700_000_001), b.logs.clear(w.root, 1_700_000_001)])
    expect(await w.toolkit.ledger.verify()).toMatchObject({ differences: [] })
  })
  test('deadlocks', async () => {
    const w = await open()
    const p = await w.user({ quota: 60_000 })
    const t = await w.token(p, { unlimited_quota: false, remain_quota: 60_000 })
    const started = Date.now()
    let served = 0
    await Promise.all(Array.from({ length: 64 }, async () => {
      for (let i = 0; i < 20; i++) {
        const quota = 20 + Math.floor(Math.random() * 800)
        try {
          const h = await w.toolkit.ledger.hold({ userId: p.id, budgetTokenId: t.id, quota })
          await w.toolkit.ledger.settle(h, bill(p, { quota: Math.floor(Math.random() * 60), tokenId: t.id }))
          served++
        } catch (e) { if (!String(e).includes('INSUFF')) throw e }
      }
    }))
    const dead = kind === 'postgres' ? (await w.toolkit.db.reader.raw('select pg_stat_force_next_flush(), deadlocks from pg_stat_database where datname = current_database()')).rows : 0
    console.log(kind, 'ms', Date.now() - started, 'served', served, dead, w.failures.length, String(w.failures[0]))
    expect(await w.toolkit.ledger.verify()).toMatchObject({ differences: [] })
  })
})
test('many first starts', async () => {
  const { testFolder } = await import('../support/toolkit.ts')
  const { openToolkit } = await import('../../core/toolkit.ts')
  for (let i = 0; i < 15; i++) {
    const dataFolder = await testFolder()
    const config = { databaseUrl: `sqlite:${dataFolder}/t.db`, secret: undefined, dataFolder }
    const out = await Promise.allSettled(Array.from({ length: 5 }, () => openToolkit(config)))
    for (const o of out) if (o.status === 'fulfilled') await o.value.close(); 
    const bad = out.filter((o) => o.status === 'rejected').map((o) => String(o.reason))
    if (bad.length) console.log(bad)
    expect(bad).toEqual([])
  }
})
