import { describe, expect, test } from 'vitest'
import type { FailedAttempt } from '../../../../core/channels/health/classify-failure.ts'
import type { CircuitQuery } from '../../../../core/channels/health/subjects.ts'
import { channelWithKey, withRing } from '../../../../core/channels/keys/key-ring.ts'
import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { liveChannel } from '../../../support/ask.ts'
import { openHealth } from '../../../support/health.ts'

const GOOD: CircuitQuery = { model: 'good', via: 'openai-chat' }
const BAD: CircuitQuery = { model: 'bad', via: 'openai-chat' }

const failed = (status: number, fields: Partial<FailedAttempt> = {}): FailedAttempt => ({
  status,
  type: 'upstream_error',
  code: null,
  message: `failed with ${status}`,
  ...fields,
})
const UNREACHED = failed(502, { unreached: true })
const MISSING = failed(404, { code: 'model_not_found' })

/** Channels 1 to `count`, each at a host of its own unless told. */
function open(count = 1, fields: Partial<LiveChannel> = {}) {
  const fixture = openHealth()
  const channels = Array.from({ length: count }, (_, at) =>
    liveChannel(1, { id: at + 1, baseUrl: `https://host-${at + 1}.example`, ...fields }),
  )
  fixture.add(...channels)
  const [channel] = channels as [LiveChannel]
  const once = (wanted: CircuitQuery, end: FailedAttempt | 'well', of = channel) => {
    const attempt = fixture.health.begin(wanted).attempt(of)
    if (end === 'well') attempt.succeeded()
    else attempt.failed(end)
  }
  return {
    ...fixture,
    channels,
    channel,
    once,
    times(count: number, wanted: CircuitQuery, end: FailedAttempt | 'well', of = channel) {
      for (let turn = 0; turn < count; turn++) once(wanted, end, of)
    },
    allows: (wanted: CircuitQuery, of = channel) => fixture.health.begin(wanted).allows(of),
  }
}

describe('an upstream that is', () => {
  test('down gets no requests after five failures, for no model, until a probe succeeds', () => {
    const { times, once, allows, clock, changes } = open()
    times(5, GOOD, UNREACHED)
    expect(allows(GOOD)).toBe(false)
    expect(allows(BAD)).toBe(false)
    clock.now += 1000
    expect(allows(BAD)).toBe(true)
    once(BAD, failed(500))
    expect(allows(GOOD)).toBe(true)
    expect(changes.map(({ scope, transition, cause }) => `${scope} ${transition} ${cause}`)).toEqual([
      'channel opened unreachable',
      'channel closed unreachable',
    ])
  })

  test('down has no status in the reason, because it has sent no reply', () => {
    const { times, changes } = open()
    times(5, GOOD, failed(502, { unreached: true, message: 'no connection', messageZh: '无法连接' }))
    expect(changes).toMatchObject([{ transition: 'opened', reason: 'no connection' }])
  })

  test('out of credit is disabled within five requests, and the account is reported lost with the reason', () => {
    const { times, allows, lost, channel } = open()
    times(4, GOOD, failed(402))
    expect(lost).toEqual([])
    times(1, BAD, failed(402))
    expect(allows(GOOD)).toBe(false)
    expect(lost).toEqual([{ channel, key: undefined, reason: 'status code 402: failed with 402' }])
  })

  test('occasionally refused is not lost: a success resets the count', () => {
    const { times, allows, lost } = open()
    for (let turn = 0; turn < 3; turn++) {
      times(4, GOOD, failed(401))
      times(1, GOOD, 'well')
    }
    expect(lost).toEqual([])
    expect(allows(GOOD)).toBe(true)
  })

  test('refused, with limits or failures in between, still has lost its account', () => {
    const { times, allows, lost } = open()
    for (const between of [failed(500), failed(429), failed(404), UNREACHED]) {
      times(1, GOOD, failed(401))
      times(1, GOOD, between)
    }
    times(1, GOOD, failed(401))
    expect(lost).toHaveLength(1)
    expect(allows(GOOD)).toBe(false)
  })

  test('rate-limited is skipped for the announced time, for that model', () => {
    const { once, allows, clock, health, channel } = open()
    once(BAD, failed(429, { retryAfterMs: 20_000 }))
    expect(allows(BAD)).toBe(false)
    expect(allows({ ...BAD, via: 'anthropic-messages' })).toBe(false)
    expect(allows(GOOD)).toBe(true)
    clock.now += 500
    expect(health.begin(BAD).unavailability([channel])).toEqual({ limited: true, seconds: 20 })
    clock.now += 19_500
    expect(allows(BAD)).toBe(true)
  })

  test('failing for one model serves the others, and their successes hide nothing', () => {
    const { once, times, allows, changes } = open()
    for (let turn = 0; turn < 3; turn++) {
      times(5, GOOD, 'well')
      once(BAD, MISSING)
    }
    expect(allows(BAD)).toBe(false)
    expect(allows(GOOD)).toBe(true)
    times(20, GOOD, 'well')
    expect(allows(BAD)).toBe(false)
    expect(changes).toMatchObject([{ scope: 'model', subject: 'bad (openai-chat)', cause: 'model' }])
  })

  test('failing for a name that covers many models serves the others; invented names fill no memory', () => {
    const { times, allows, changes } = open()
    const named = (requestedModel: string): CircuitQuery => ({ model: 'gizmo-*', requestedModel, via: 'openai-chat' })
    times(10, BAD, failed(500))
    times(3, named('gizmo-a'), MISSING)
    expect(allows(named('gizmo-a'))).toBe(false)
    expect(allows(named('gizmo-b'))).toBe(true)
    times(3, named(`gizmo-\0${'x'.repeat(4000)}`), MISSING)
    expect(changes.map(({ subject }) => subject)).toEqual([
      'bad (openai-chat)',
      'gizmo-a (openai-chat)',
      expect.stringMatching(/^gizmo-\* [0-9a-f]{16} \(openai-chat\)$/),
    ])
    for (let made = 0; made < 100; made++) times(1, named(`gizmo-${made}`), MISSING)
    // The oldest of them is forgotten, and nothing else.
    expect(allows(named('gizmo-a'))).toBe(true)
    expect(allows(BAD)).toBe(false)
  })

  test('failing for a model in one format is still used for the others', () => {
    const { times, allows } = open()
    times(3, BAD, MISSING)
    expect(allows({ ...BAD, via: 'openai-responses' })).toBe(true)
  })

  test('given an invalid request is not at fault', () => {
    const { times, allows, changes } = open()
    times(100, GOOD, failed(400))
    expect(allows(GOOD)).toBe(true)
    expect(changes).toEqual([])
  })

  test("slow: ten missing first tokens in a row open the model's circuit", () => {
    const { times, allows } = open()
    times(10, GOOD, failed(504, { code: 'first_token_timeout' }))
    expect(allows(GOOD)).toBe(false)
    expect(allows(BAD)).toBe(true)
  })
})

describe('a probe', () => {
  test('closes with its first token; a stream that breaks later is a separate failure', () => {
    const { times, health, channel, clock, allows, changes } = open()
    times(10, GOOD, failed(500))
    clock.now += 1000
    const probe = health.begin(GOOD).attempt(channel)
    expect(allows(GOOD)).toBe(false)
    probe.recordFirstToken()
    expect(allows(GOOD)).toBe(true)
    probe.failed(failed(502))
    expect(allows(GOOD)).toBe(true)
    expect(changes.map(({ transition }) => transition)).toEqual(['opened', 'closed'])
  })

  test('whose client disconnects gives its permit to the next', () => {
    const { times, health, channel, clock, allows } = open()
    times(5, GOOD, UNREACHED)
    clock.now += 1000
    const probe = health.begin(GOOD).attempt(channel)
    expect(allows(GOOD)).toBe(false)
    probe.abandoned()
    expect(allows(GOOD)).toBe(true)
    // Only its first end counts.
    probe.failed(UNREACHED)
    expect(allows(GOOD)).toBe(true)
  })

  test('that is slow blocks others for a few seconds only', () => {
    const { times, health, channel, clock, allows } = open()
    times(10, GOOD, failed(500))
    clock.now += 1000
    const slow = health.begin(GOOD).attempt(channel)
    clock.now += 2999
    expect(allows(GOOD)).toBe(false)
    clock.now += 1
    expect(allows(GOOD)).toBe(true)
    slow.succeeded()
    expect(allows(BAD)).toBe(true)
  })

  test.each([
    ['unreachable', UNREACHED, failed(400), true],
    ['account', failed(401), failed(400), true],
    // The request is to blame, but the account may be, too.
    ['account', failed(401), failed(403, { code: 'content_filter' }), false],
    ['unreachable', UNREACHED, failed(502, { neverSent: true }), false],
    ['account', failed(401), failed(500), false],
    ['server', failed(500), failed(400), false],
  ])('of %s: whether a rejected request closes it (%#)', (_, failure, end, closes) => {
    const { times, once, clock, allows, changes, health, channel } = open()
    times(10, GOOD, failure)
    clock.now += 60_000
    once(GOOD, end)
    // In any case its permit is back.
    expect(allows(GOOD)).toBe(true)
    health.begin(GOOD).attempt(channel)
    expect(allows(GOOD)).toBe(closes)
    expect(changes.at(-1)?.transition === 'closed').toBe(closes)
  })

  test('of a caller who pins the channel does not count for others, but its success closes the circuit', () => {
    const { times, health, channel, allows } = open()
    times(5, GOOD, UNREACHED)
    const pinned = health.begin({ ...GOOD, pinned: true })
    expect(pinned.allows(channel)).toBe(true)
    pinned.attempt(channel).succeeded()
    expect(allows(GOOD)).toBe(true)
  })
})

describe('an edit', () => {
  test('of the key resets the state, and running attempts do not count', () => {
    const { times, health, channel, add, allows, changes } = open()
    const late = Array.from({ length: 5 }, () => health.begin(GOOD).attempt(channel))
    times(5, GOOD, failed(401))
    expect(allows(GOOD)).toBe(false)
    const repaired = { ...channel, key: 'sk-another-key' }
    add(repaired)
    health.forgetEdited([channel.id])
    expect(allows(GOOD, repaired)).toBe(true)
    for (const attempt of late) attempt.failed(failed(401))
    expect(allows(GOOD, repaired)).toBe(true)
    expect(changes.map(({ transition }) => transition)).toEqual(['opened', 'forgotten'])
  })

  test('of its name and weight resets nothing; disabling and enabling it does', () => {
    const { times, health, channel, add, allows } = open()
    times(5, GOOD, UNREACHED)
    add({ ...channel, name: 'another', weight: 7 })
    health.forgetEdited(undefined)
    expect(allows(GOOD)).toBe(false)
    add({ ...channel, status: 2 })
    health.forgetEdited([channel.id])
    expect(allows(GOOD)).toBe(true)
  })
})

describe('keys of one channel', () => {
  const KEYS = ['aaaa', 'bbbb', 'cccc']
  /** Each key is its own digest. */
  const ring = (...aside: string[]) =>
    withRing(liveChannel(1, { id: 1, key: KEYS.join('\n') }), {
      mode: 'polling',
      disabledKeys: Object.fromEntries(aside.map((key) => [key, { status: 3, reason: '', time: 0 }])),
      secrets: { digest: (key) => key },
    })

  function openKeyed() {
    const fixture = open()
    const channel = ring()
    fixture.add(channel)
    const keyed = (key: string) => channelWithKey(channel, key) as LiveChannel
    const fail = (key: string, failure: FailedAttempt) => fixture.health.begin(GOOD).attempt(keyed(key)).failed(failure)
    const may = (key: string, wanted = GOOD) => fixture.health.begin(wanted).allows(keyed(key))
    return { ...fixture, channel, keyed, fail, may }
  }

  test('are disabled one by one, and so are their limits', () => {
    const { health, channel, keyed, fail, may, lost } = openKeyed()
    for (let turn = 0; turn < 5; turn++) {
      fail('aaaa', failed(401))
      health.begin(GOOD).attempt(keyed('bbbb')).succeeded()
    }
    fail('cccc', failed(429, { retryAfterMs: 5000 }))

    expect(KEYS.map((key) => may(key))).toEqual([false, true, false])
    expect(KEYS.map((key) => may(key, BAD))).toEqual([false, true, true])
    expect(lost).toMatchObject([{ key: 'aaaa' }])
    const chosen = (wanted: CircuitQuery) => health.begin(wanted).withKey(channel, Math.random)?.key
    expect([1, 2, 3].map(() => chosen(GOOD))).toEqual(['bbbb', 'bbbb', 'bbbb'])
    expect([1, 2].map(() => chosen(BAD)).sort()).toEqual(['bbbb', 'cccc'])
  })

  test('make the channel unavailable if none is left, until the first may be tried again', () => {
    const { health, channel, fail, clock } = openKeyed()
    for (const [at, key] of KEYS.entries()) fail(key, failed(429, { retryAfterMs: 5000 * (3 - at) }))
    const relay = health.begin(GOOD)
    expect(relay.allows(channel)).toBe(false)
    expect(relay.withKey(channel, Math.random)).toBeUndefined()
    expect(relay.unavailability([channel])).toEqual({ limited: true, seconds: 5 })

    clock.now += 5000
    expect(relay.withKey(channel, Math.random)?.key).toBe('cccc')
    const pinned = health.begin({ ...GOOD, pinned: true })
    expect(KEYS.map(() => pinned.withKey(channel, Math.random)?.key).sort()).toEqual(KEYS)
  })

  test('are forgotten if they are disabled, and nothing else of the channel is', () => {
    const { health, add, fail, may, changes } = openKeyed()
    for (let turn = 0; turn < 5; turn++) fail('aaaa', failed(401))
    fail('bbbb', failed(429, { retryAfterMs: 5000 }))
    add(ring('aaaa'))
    health.forgetEdited([1])

    expect(changes.at(-1)).toMatchObject({ scope: 'key', subject: 'aaaa', transition: 'forgotten' })
    expect([may('aaaa'), may('bbbb')]).toEqual([true, false])
  })
})

describe('the retry budget', () => {
  test('gives a dead host 1.1 attempts per request, plus ten, however many channels use it', () => {
    const { health, channels } = open(20, { baseUrl: 'https://same.example' })
    let attempts = 0
    for (let relay = 0; relay < 1000; relay++) {
      // Each asks for a model of its own: no circuit opens before the budget is used up.
      const turn = health.begin({ model: `m${relay}`, via: 'openai-chat' })
      for (const channel of channels) {
        if (!turn.allows(channel)) continue
        turn.attempt(channel).failed(failed(500))
        attempts += 1
      }
    }
    expect(attempts).toBeGreaterThan(1000)
    expect(attempts).toBeLessThanOrEqual(1111)
  })

  test('is not used by failures of keys, limits and models of one channel', () => {
    const { health, channels } = open(20, { baseUrl: 'https://same.example' })
    for (const status of [429, 404, 400]) {
      for (let relay = 0; relay < 10; relay++) {
        const turn = health.begin({ model: `${status} ${relay}`, via: 'openai-chat' })
        for (const channel of channels) {
          expect(turn.allows(channel)).toBe(true)
          turn.attempt(channel).failed(failed(status))
        }
      }
    }
  })
})

describe('a pool without an available channel', () => {
  test('is searched only occasionally, not per request, and immediately if a channel becomes available', () => {
    const { channels, times, health, clock, allows, once } = open(3)
    const pool = {}
    for (const channel of channels) times(5, GOOD, UNREACHED, channel)
    const known = (wanted = GOOD) => health.begin(wanted).cachedUnavailability(pool)
    const look = () => health.begin(GOOD).unavailability(channels, pool)
    expect(known()).toBeUndefined()
    expect(look()).toEqual({ limited: false, seconds: 1 })
    expect(known()).toEqual({ limited: false, seconds: 1 })
    // Of another model, another pool and by one who insists nothing is known.
    expect(known(BAD)).toBeUndefined()
    expect(known({ ...GOOD, pinned: true })).toBeUndefined()
    expect(health.begin(GOOD).cachedUnavailability({})).toBeUndefined()
    clock.now += 250
    expect(known()).toBeUndefined()

    clock.now += 749
    look()
    expect(known()).toBeDefined()
    clock.now += 1
    expect(known()).toBeUndefined()
    expect(allows(GOOD)).toBe(true)

    const probes = channels.map((channel) => health.begin(GOOD).attempt(channel))
    look()
    expect(known()).toBeDefined()
    probes[0]?.abandoned()
    expect(known()).toBeUndefined()
    once(GOOD, 'well')
    look()
    // One of them may be asked.
    expect(known()).toBeUndefined()
  })

  test('recovers after any edit', () => {
    const { channel, channels, add, times, health } = open()
    times(5, GOOD, UNREACHED)
    health.begin(GOOD).unavailability(channels, channels)
    add({ ...channel, key: 'sk-another-key' })
    health.forgetEdited([channel.id])
    expect(health.begin(GOOD).cachedUnavailability(channels)).toBeUndefined()
  })
})
