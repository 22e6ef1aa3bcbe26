import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { poolOf } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import { Attempts, type AttemptsParts } from '../../../server/relay/routing/attempts.ts'
import { liveChannel } from '../../support/ask.ts'

const OPENAI = 1
const CHANNELS = 3000

test('thousands of unsuitable channels are skipped, and the first rejection is the reply', () => {
  const body = { model: 'm', messages: [{ role: 'user', content: 'x' }] }
  const channels = poolOf(Array.from({ length: CHANNELS }, (_, at) => liveChannel(OPENAI, { id: at + 1 })))
  const admitted = {
    requestId: 'r',
    entry: { operation: 'chat', dialect: 'openai-chat' },
    caller: { user: { id: 1 }, token: { id: 1, storesResponses: false }, pinnedChannelId: 0 },
    model: 'm',
    channels,
    raw: Buffer.from(JSON.stringify(body)),
    body,
    stream: false,
    query: '',
    headers: {},
    clientHeaders: {},
  }
  const signal = new EventEmitter()
  const interruption = Object.assign(signal, { signal, isDisconnected: false, endAttempt() {} })
  const attempt = { failed() {}, abandoned() {}, succeeded() {}, answered() {} }
  const health = {
    cachedUnavailability: () => undefined,
    unavailability: () => ({ limited: false, seconds: 1 }),
    allows: () => true,
    withKey: (channel: unknown) => channel,
    attempt: () => attempt,
  }
  let requestCount = 0
  const parts = {
    upstream: {
      dispatch() {
        requestCount += 1
        throw new GatewayError('CHANNEL_MISCONFIGURED', { id: requestCount, reason: 'x' })
      },
    },
    providerContextFor: () => ({}),
    config: { relayTimeoutMs: 1, firstTokenTimeoutMs: 0 },
    health: { begin: () => health },
    toolkit: { liveLimits: { learned: { hasUsedUp: false, note() {} } } },
    logger: { warn() {} },
  } as unknown as AttemptsParts
  const results: unknown[] = []
  const options = {
    retries: 3,
    random: Math.random,
    coverage: undefined as never,
    limit: undefined,
    failedTries: [],
    hold: {} as never,
  }
  const listener = {
    onTried: (tried: unknown) => results.push(tried),
    onFailure: (error: unknown) => results.push(error),
  }

  new Attempts(admitted as never, interruption as never, options, parts, listener as never).start()

  expect(requestCount).toBe(CHANNELS)
  expect(results).toMatchObject([{ code: 'CHANNEL_MISCONFIGURED', params: { id: 1 } }])
})
