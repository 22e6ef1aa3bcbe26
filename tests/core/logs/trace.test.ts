import { expect, test } from 'vitest'
import type { FailedRelay } from '../../../core/logs/failures.ts'
import { bill, onBoth, type Person } from '../../support/toolkit.ts'

const failureOf = (person: Person, requestId: string, more: Partial<FailedRelay> = {}): FailedRelay => ({
  requestId,
  userId: person.id,
  username: person.username,
  tokenId: 3,
  tokenName: 'web',
  modelName: 'gpt-4o',
  channelId: 2,
  group: 'default',
  useTimeSeconds: 4,
  isStream: true,
  at: 1_700_000_000,
  content: 'The upstream failed',
  status: 502,
  code: 'server_error',
  upstreamRequestId: 'req_1',
  tries: [
    { channel: 1, key: 2, status: 429, code: 'rate_limit', ms: 40, message: 'secret words of the upstream' },
    { channel: 2, status: 500, code: null, ms: 900, message: 'broken' },
  ],
  ...more,
})

onBoth('the trace of a request', (open) => {
  test("has each attempt for administrators, and the client's error for its user", async () => {
    const { toolkit, root, user } = await open()
    const ann = await user()
    await toolkit.logs.writeFailures([failureOf(ann, 'failed-1')])

    const whole = await toolkit.logs.trace(root, 'failed-1')
    const ownTrace = await toolkit.logs.trace(ann, 'failed-1')

    expect(whole).toMatchObject({
      outcome: 'failed',
      status: 502,
      code: 'server_error',
      upstream_request_id: 'req_1',
      attempt_count: 2,
      attempts: [
        { channel: 1, key_number: 2, answered: false, status: 429, code: 'rate_limit', ms: 40 },
        { channel: 2, answered: false, status: 500, code: '', ms: 900, message: 'broken' },
      ],
    })
    expect(ownTrace).toMatchObject({
      message: 'The upstream failed',
      attempt_count: 2,
      attempts: [],
      upstream_request_id: '',
    })
    expect(JSON.stringify(ownTrace)).not.toContain('secret words')
  })

  test('of another user is not found, like an unknown one', async () => {
    const { toolkit, user } = await open()
    const [ann, bob] = [await user(), await user()]
    await toolkit.logs.writeFailures([failureOf(ann, 'failed-1')])

    for (const id of ['failed-1', 'nothing', '', 'x'.repeat(5000), "' OR 1=1 --"]) {
      await expect(toolkit.logs.trace(bob, id)).rejects.toMatchObject({ code: 'LOG_NOT_FOUND' })
    }
  })

  test('of a reply has its channels and its receipt', async () => {
    const { toolkit, root, user, charge } = await open()
    const ann = await user({ quota: 1000 })
    const other = JSON.stringify({
      model_ratio: 1,
      model_price: -1,
      completion_ratio: 1,
      group_ratio: 1,
      quota_per_unit: 500_000,
      frt: 120,
      admin_info: { use_channel: ['4', '6'] },
    })
    const { requestId } = await charge(ann, {
      ...bill(ann, { quota: 30 }),
      promptTokens: 20,
      completionTokens: 10,
      other,
    })

    const whole = await toolkit.logs.trace(root, requestId)
    const ownTrace = await toolkit.logs.trace(ann, requestId)

    expect(whole).toMatchObject({ outcome: 'complete', charged: 30, first_token_ms: 120 })
    expect(whole.attempts.map(({ channel, answered }) => [channel, answered])).toEqual([
      [4, false],
      [6, true],
    ])
    expect(ownTrace.receipt).toMatchObject({ charged: 30, recomputed: 30, equal: true })
    expect(ownTrace.receipt?.log.other).not.toContain('admin_info')
  })

  test('of a charged retry with an idempotency key has no outcome of the failure before', async () => {
    const { toolkit, root, user, charge } = await open()
    const ann = await user({ quota: 1000 })
    const { requestId } = await charge(ann, { ...bill(ann, { quota: 30 }), requestId: 'kept-1' })
    await toolkit.logs.writeFailures([failureOf(ann, requestId)])

    expect(await toolkit.logs.trace(root, requestId)).toMatchObject({ outcome: 'complete', code: '', charged: 30 })

    const now = Math.floor(Date.now() / 1000) + 60
    await toolkit.logs.writeFailures([failureOf(ann, requestId, { at: now })])
    expect(await toolkit.logs.trace(root, requestId)).toMatchObject({ outcome: 'failed', charged: 30 })
  })

  test('of the last failure of a flood has the number of failures it represents', async () => {
    const { toolkit, user } = await open()
    const ann = await user()
    await toolkit.logs.writeFailures([failureOf(ann, '', { lastRequestId: 'last-1', suppressed: 90, tries: [] })])

    expect(await toolkit.logs.trace(ann, 'last-1')).toMatchObject({
      outcome: 'failed',
      suppressed: 90,
      attempt_count: 0,
    })
  })
})
