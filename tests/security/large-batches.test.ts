import { expect, test } from 'vitest'
import { type BatchFixture, inputOf, openBatches, request } from '../server/relay/batches/fixture.ts'
import { charges, expectNothingHeld } from '../support/books.ts'
import { MODEL } from '../support/gateway.ts'
import { onBoth, openTestToolkit } from '../support/toolkit.ts'

/*
 * Batches that are rejected after much work. Each cost the process seconds and its sender nothing, and could be repeated at will.
 */

const LINES = 4000
const rows = (count: number, last: object = {}) => [
  ...Array.from({ length: count }, (_, at) => request(`r${at}`)),
  ...(Object.keys(last).length > 0 ? [last] : []),
]
const WITHOUT_MESSAGES = request('last', { messages: undefined })

async function limitRequests({ toolkit, root, bought }: BatchFixture): Promise<void> {
  const limit = { measure: 'requests', amount: 1, period: 'day' } as const
  await toolkit.limits.set(root, [{ subject: 'token', subject_id: String(bought.id), ...limit }])
}

test('the cheap checks of all lines precede the admission of the first', async () => {
  const fixture = await openBatches(await openTestToolkit())
  const fileId = await fixture.upload(inputOf(WITHOUT_MESSAGES, request('b'), { ...request('c'), method: 'GET' }))

  const { status, body } = await fixture.create(fileId)

  expect(status).toBe(400)
  expect((body.error as { message: string }).message).toMatch(/^Line 3 of the input file is invalid: .*method/)
})

test('the cheap checks of all messages precede the admission of the first', async () => {
  const fixture = await openBatches(await openTestToolkit(), { channel: { type: 14 } })
  const params = { model: MODEL, max_tokens: 5, messages: [{ role: 'user', content: 'x' }] }
  const requests = [{ custom_id: 'a', params: { ...params, model: 'no-such' } }, { custom_id: 'b', params }, { params }]

  const { status, body } = await fixture.call('POST', '/v1/messages/batches', { body: { requests } })

  expect(status).toBe(400)
  expect((body.error as { message: string }).message).toContain('requests.2 ')
})

onBoth('a batch', (open) => {
  test('whose first request the balance does not cover ends there', async () => {
    const fixture = await openBatches(await open(), { user: { quota: 5 } })

    const { status, body } = await fixture.create(await fixture.upload(inputOf(request('a'), WITHOUT_MESSAGES)))

    expect({ status, code: (body.error as { code: string }).code }).toEqual({
      status: 403,
      code: 'insufficient_user_quota',
    })
    expect(await charges(fixture)).toEqual([])
    await expectNothingHeld(fixture)
  })

  test('that the balance covers only in part is not read to its end', async () => {
    const fixture = await openBatches(await open(), { user: { quota: 50_000 } })

    const { status } = await fixture.create(await fixture.upload(inputOf(...rows(LINES, WITHOUT_MESSAGES))))

    expect(status).toBe(403)
    await expectNothingHeld(fixture)
  })

  test('that is rejected counts as a request', async () => {
    const fixture = await openBatches(await open())
    const fileId = await fixture.upload(inputOf(request('a'), { ...request('b'), method: 'GET' }))
    await limitRequests(fixture)

    const first = await fixture.create(fileId)
    const second = await fixture.create(fileId)

    expect([first.status, second.status]).toEqual([400, 429])
    await expectNothingHeld(fixture)
  })
})

/** Between two turns of the event loop, in milliseconds of CPU time. Without pauses it is 30 and more. */
const SLICE_MS_MAX = 16
const TRIES = 5

/** Returns the longest time for which some work occupies the process. */
async function longestSlice(work: () => Promise<unknown>): Promise<number> {
  const cpu = () => process.cpuUsage().user / 1000
  let longest = 0
  let last = cpu()
  let isOver = false
  const turn = () => {
    const now = cpu()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  turn()
  await work()
  isOver = true
  return longest
}

test('large lines of a batch leave time for other requests', { timeout: 60_000 }, async () => {
  const fixture = await openBatches(await openTestToolkit())
  const content = 'the quick brown fox '.repeat(25_000)
  const large = ['a', 'b', 'c'].map((id) => request(id, { messages: [{ role: 'user', content }] }))
  const fileId = await fixture.upload(inputOf(...large, WITHOUT_MESSAGES))
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES && least > SLICE_MS_MAX; tries++) {
    least = Math.min(least, await longestSlice(() => fixture.create(fileId)))
  }

  expect(least).toBeLessThanOrEqual(SLICE_MS_MAX)
})
