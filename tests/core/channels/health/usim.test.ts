import { test } from 'vitest'
import { Circuit } from '/root/s/u/core/channels/health/circuit.ts'
import { seeded } from '/root/s/u/tests/support/seeded.ts'

test('sim', () => {
  const KINDS = ['server', 'account', 'limited', 'unreachable', 'model'] as const
  const r = seeded(99)
  let openedRuns = 0,
    lostRuns = 0,
    accOpen = 0
  const RUNS = 4000
  for (let run = 0; run < RUNS; run++) {
    const c = new Circuit()
    let now = 1e6
    let o = 0,
      l = 0
    for (let i = 0; i < 20000; i++) {
      now++
      if (c.open && !c.allows(now)) now = c.retryAt
      const p = c.enter(now)
      if (r() >= 0.3) c.succeed(p, now)
      else {
        const k = KINDS[Math.floor(r() * 5)]!
        const t = c.fail(p, k, { now, reason: '', random: 0.5 })
        if (t === 'opened') {
          o++
          if (k === 'account') accOpen++
        }
        if (k === 'account' && c.isRow('account')) l++
      }
    }
    if (o) openedRuns++
    if (l) lostRuns++
  }
  console.log({ RUNS, openedRuns, accOpen, lostRuns })
  // 30 % account alone: share of time open at 10 rps
  const c = new Circuit()
  let now = 1e6,
    refused = 0,
    opened = 0,
    lost = 0
  for (let i = 0; i < 200000; i++) {
    now += 100
    if (!c.allows(now)) {
      refused++
      continue
    }
    const p = c.enter(now)
    if (r() >= 0.3) c.succeed(p, now)
    else {
      if (c.fail(p, 'account', { now, reason: '', random: 0.5 }) === 'opened') opened++
      if (c.isRow('account')) lost++
    }
  }
  console.log({ refused, opened, lost })
  for (const good of [0, 1, 5, 10, 20, 60]) {
    const c = new Circuit()
    let t = 1e6
    const p = () => ({ since: t, probe: false })
    c.fail(p(), 'account', { now: t, reason: '', random: 0.5 })
    for (let i = 0; i < good; i++) {
      t += 1000
      c.succeed(p(), t)
    }
    let n = 0
    let row = 0
    while (n < 50 && !row) {
      t += 100
      if (c.allows(t)) {
        n++
        c.fail(c.enter(t), 'account', { now: t, reason: '', random: 0.5 })
        if (c.isRow('account')) row = n
      }
    }
    console.log('blip', good, 'lost after', row, 'at ms', t - 1e6 - good * 1000)
  }
})
