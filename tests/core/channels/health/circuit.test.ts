import { describe, expect, test } from 'vitest'
import {
  Circuit,
  OPEN_MAX_MS,
  OPEN_MS,
  type Pass,
  PROBE_MS,
  RETRY_AFTER_MAX_MS,
} from '../../../../core/channels/health/circuit.ts'
import type { FailureSignal } from '../../../../core/channels/health/classify-failure.ts'
import { seeded } from '../../../support/seeded.ts'

/** A circuit with a clock in hand: each attempt takes a millisecond. */
function bench() {
  const circuit = new Circuit()
  let now = 1_000_000
  const fixture = {
    circuit,
    get now() {
      return now
    },
    wait(ms: number) {
      now += ms
    },
    succeed: () => circuit.succeed(circuit.enter(now), now++),
    fail: (evidence: FailureSignal, extra: { retryAfterMs?: number } = {}) =>
      circuit.fail(circuit.enter(now), evidence, { now: now++, reason: 'failed', random: 0.5, ...extra }),
    /** Fails until it opens; answers after how many. */
    open(evidence: FailureSignal): number {
      for (let count = 1; count <= 100; count++) if (fixture.fail(evidence) === 'opened') return count
      throw new Error(`100 failures of ${evidence} in a row opened nothing`)
    },
    /** How long it stays open from now on. */
    lasts: () => circuit.retryAt - now + 1,
  }
  return fixture
}

describe('a circuit opens', () => {
  test.each([
    ['account', 5],
    ['unreachable', 5],
    ['model', 3],
    ['limited', 3],
    ['server', 10],
  ] as const)('after consecutive %s: %i', (evidence, count) => {
    const fixture = bench()
    expect(fixture.open(evidence)).toBe(count)
    expect(fixture.circuit.allows(fixture.now)).toBe(false)
  })

  test('not after a success or another failure in between', () => {
    const { circuit, fail, succeed } = bench()
    for (let turn = 0; turn < 4; turn++) fail('unreachable')
    succeed()
    for (let turn = 0; turn < 4; turn++) fail('unreachable')
    fail('server')
    for (let turn = 0; turn < 4; turn++) fail('unreachable')
    expect(circuit.open).toBe(false)
  })

  test('for an account after failures of other kinds in between and earlier refusals, unless a request succeeds', () => {
    const fixture = bench()
    for (const between of ['server', 'limited', 'unreachable', 'model'] as const) {
      fixture.fail('account')
      fixture.fail(between)
    }
    expect(fixture.fail('account')).toBe('opened')
    expect(fixture.circuit.isSignificantSeries('account')).toBe(true)

    const flapping = bench()
    for (let turn = 0; turn < 30; turn++) {
      flapping.fail('account')
      flapping.succeed()
      flapping.succeed()
    }
    expect(flapping.open('account')).toBe(5)
    // That it is lost is said later: 7 more that find it so.
    for (let more = 1; more <= 7; more++) {
      expect(flapping.circuit.isSignificantSeries('account')).toBe(false)
      flapping.wait(flapping.lasts())
      flapping.fail('account')
    }
    expect(flapping.circuit.isSignificantSeries('account')).toBe(true)
  })

  test('immediately if the upstream states a time, for exactly that time, and at most ten minutes', () => {
    const { circuit, fail, now } = bench()
    expect(fail('limited', { retryAfterMs: 20_000 })).toBe('opened')
    expect(circuit.retryAt).toBe(now + 20_000)
    expect(fail('limited', { retryAfterMs: 9e9 })).toBe('reopened')
    expect(circuit.retryAt).toBe(now + 1 + RETRY_AFTER_MAX_MS)
  })

  test('if six of ten attempts of a minute failed, and there were enough of them', () => {
    const { circuit, fail, succeed } = bench()
    let attempts = 0
    while (!circuit.open && attempts < 1000) {
      if (attempts % 5 < 3) fail('server')
      else succeed()
      attempts += 1
    }
    expect(attempts).toBeGreaterThanOrEqual(80)
    expect(attempts).toBeLessThan(85)
  })

  test('not for the same share of attempts minutes apart', () => {
    const { circuit, fail, succeed, wait } = bench()
    for (let attempt = 0; attempt < 500; attempt++) {
      if (attempt % 5 < 3) fail('server')
      else succeed()
      wait(10_000)
    }
    expect(circuit.open).toBe(false)
  })

  test('later if the same failure occurred between successes, which may be chance', () => {
    const { succeed, fail, open } = bench()
    for (let turn = 0; turn < 30; turn++) {
      fail('unreachable')
      succeed()
      succeed()
    }
    expect(open('unreachable')).toBe(12)
  })
})

describe('random failures', () => {
  const KINDS: readonly FailureSignal[] = ['server', 'account', 'limited', 'unreachable', 'model']

  test.each([3, 5, 8])('of three in ten attempts, in five ways, open no circuit in 20 000 (seed %i)', (seed) => {
    const random = seeded(seed)
    const { fail, succeed } = bench()
    let opened = 0
    for (let attempt = 0; attempt < 20_000; attempt++) {
      if (random() >= 0.3) succeed()
      else if (fail(KINDS[Math.floor(random() * KINDS.length)] as FailureSignal) === 'opened') opened += 1
    }
    expect(opened).toBe(0)
  })

  test.each(KINDS.filter((kind) => kind !== 'account'))(
    'of three in ten attempts, all %s, open no circuit in 200 000 after both occurred',
    (kind) => {
      const random = seeded(7)
      const { circuit, fail, succeed } = bench()
      for (const good of [true, false, true, true]) good ? succeed() : fail(kind)
      let opened = 0
      for (let attempt = 0; attempt < 200_000; attempt++) {
        if (random() >= 0.3) succeed()
        else if (fail(kind) === 'opened') opened += 1
      }
      expect(opened).toBe(0)
      expect(circuit.open).toBe(false)
    },
  )
})

describe('an open circuit', () => {
  test('allows one probe after its time, and no second', () => {
    const { circuit, open, now } = bench()
    open('unreachable')
    const due = circuit.retryAt
    expect(circuit.allows(due - 1)).toBe(false)
    const pass = circuit.enter(due)
    expect(pass.probe).toBe(true)
    expect(circuit.allows(due + 1)).toBe(false)
    expect(circuit.succeed(pass, due + 2)).toBe('closed')
    expect(circuit.allows(due + 2)).toBe(true)
    expect(now).toBeLessThan(due)
  })

  test('gets its permit back if the probe was abandoned, or does not end in a few seconds', () => {
    const { circuit, open } = bench()
    open('server')
    const due = circuit.retryAt
    circuit.leave(circuit.enter(due))
    expect(circuit.allows(due)).toBe(true)
    circuit.enter(due)
    expect(circuit.allows(due + PROBE_MS - 1)).toBe(false)
    expect(circuit.allows(due + PROBE_MS)).toBe(true)
    expect(PROBE_MS).toBeLessThanOrEqual(5000)
  })

  test('stays open twice as long after each failed probe, up to a minute, with jitter', () => {
    const fixture = bench()
    fixture.open('unreachable')
    const lasted: number[] = []
    for (let probe = 0; probe < 9; probe++) {
      lasted.push(Math.round(fixture.lasts()))
      fixture.wait(fixture.lasts())
      expect(fixture.fail('unreachable')).toBe('reopened')
    }
    expect(lasted).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000))

    const jittered = (random: number) => {
      const circuit = new Circuit()
      for (let turn = 0; turn < 5; turn++) {
        circuit.fail(circuit.enter(0), 'account', { now: 0, reason: '', random })
      }
      return circuit.retryAt
    }
    expect(jittered(0)).toBe(OPEN_MS * 0.8)
    expect(jittered(0.999)).toBeCloseTo(OPEN_MS * 1.2, -1)
  })

  test('of a flapping upstream stays open longer each time, until ten minutes are calm', () => {
    const fixture = bench()
    const lasted: number[] = []
    for (const calmMs of [1000, 1000, 600_000, 0]) {
      fixture.open('unreachable')
      lasted.push(Math.round(fixture.lasts()))
      fixture.wait(fixture.lasts())
      fixture.succeed()
      fixture.wait(calmMs)
    }
    expect(lasted).toEqual([1000, 2000, 4000, 1000])
    expect(OPEN_MAX_MS).toBe(60_000)
  })

  test('does not wait longer if the clock goes back by an hour', () => {
    const { circuit, open, now } = bench()
    open('unreachable')
    expect(circuit.allows(now - 3_600_000)).toBe(true)
    expect(circuit.succeed(circuit.enter(now - 3_600_000), now - 3_600_000)).toBe('closed')
  })

  test('ignores attempts that started before it opened', () => {
    const { circuit, open, now } = bench()
    const [early, other] = [circuit.enter(now), circuit.enter(now)]
    open('server')
    const { retryAt } = circuit
    expect(circuit.succeed(early, now + 20)).toBeUndefined()
    expect(circuit.fail(other, 'server', { now: now + 20, reason: '', random: 0.5 })).toBeUndefined()
    expect(circuit).toMatchObject({ open: true, retryAt })
  })
})

describe('a rate limit', () => {
  /** How many are served of those that come every `everyMs` for 21 s by an upstream that does 8 at once, in 3 s. */
  function served(everyMs: number, retryAfterMs: number | undefined, circuit?: Circuit): number {
    let running: { until: number; pass: Pass | undefined }[] = []
    let count = 0
    const end = (now: number) => {
      for (const { until, pass } of running) if (until <= now && pass) circuit?.succeed(pass, until)
      count += running.filter(({ until }) => until <= now).length
      running = running.filter(({ until }) => until > now)
    }
    for (let now = 0; now < 21_000; now += everyMs) {
      end(now)
      if (circuit && !circuit.allows(now)) continue
      const pass = circuit?.enter(now)
      if (running.length < 8) running.push({ until: now + 3000, pass })
      else if (pass) {
        const time = retryAfterMs === undefined ? {} : { retryAfterMs }
        circuit?.fail(pass, 'limited', { now: now + 5, reason: '', random: 0.5, ...time })
      }
    }
    end(24_000)
    return count
  }

  test.each([
    [200, 1000],
    [200, undefined],
    [50, 1000],
    [370, 2000],
    [90, 5000],
    [200, 0],
  ])('of concurrent requests has a minimal cost: one attempt per %i ms, Retry-After %s', (everyMs, retryAfterMs) => {
    const direct = served(everyMs, retryAfterMs)
    const through = served(everyMs, retryAfterMs, new Circuit())
    expect(through).toBeGreaterThanOrEqual(direct * 0.9)
  })

  test('per minute is probed at most once before its time, and by all requests after it', () => {
    const { circuit, fail, now } = bench()
    const early = Array.from({ length: 3 }, () => circuit.enter(now - 1))
    fail('limited', { retryAfterMs: 30_000 })
    const due = circuit.retryAt
    expect(circuit.allows(now + 1)).toBe(false)
    for (const pass of early) expect(circuit.succeed(pass, now + 2)).toBeUndefined()
    const details = { reason: '', random: 0.5, retryAfterMs: 30_000 }
    circuit.fail(circuit.enter(now + 3), 'limited', { now: now + 3, ...details })
    expect(circuit.allows(now + 4)).toBe(false)
    const after = circuit.retryAt
    expect(after).toBe(due + 3)
    for (let one = 0; one < 5; one++) {
      expect(circuit.allows(after)).toBe(true)
      circuit.enter(after)
    }
    const passed = circuit.enter(after)
    circuit.fail(circuit.enter(after), 'limited', { now: after + 1, ...details })
    // A request that was under way when the period restarted frees its slot, and does not close the circuit.
    expect(circuit.succeed(passed, after + 2)).toBeUndefined()
    expect(circuit.allows(after + 2)).toBe(true)
    expect(circuit.succeed(circuit.enter(after + 40_000), after + 40_000)).toBe('closed')
  })

  test('without a time lasts longer each time, up to five seconds, but not longer due to concurrent failures', () => {
    const fixture = bench()
    fixture.open('limited')
    const lasted: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      lasted.push(Math.round(fixture.lasts()))
      fixture.wait(fixture.lasts())
      const passes = Array.from({ length: 9 }, () => fixture.circuit.enter(fixture.now))
      for (const pass of passes) fixture.circuit.fail(pass, 'limited', { now: fixture.now, reason: '', random: 0.5 })
      fixture.wait(1)
    }
    expect(lasted).toEqual([1000, 2000, 4000, 5000, 5000])
  })

  test('with the time 0 opens nothing', () => {
    const { circuit, fail } = bench()
    for (let turn = 0; turn < 20; turn++) fail('limited', { retryAfterMs: 0 })
    expect(circuit.open).toBe(false)
  })
})
