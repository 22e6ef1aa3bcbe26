import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import type { NewToken } from '../../core/tokens/token.ts'
import { expectExactBooks, expectNothingHeld } from '../support/books.ts'
import { type Answer, ask, expectRefusal, post } from '../support/chat.ts'
import { customer } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'
import { shared } from '../support/lifetime.ts'
import { findPostgres } from '../support/postgres.ts'
import { startServer } from '../support/server-process.ts'
import {
  type DatabaseKind,
  openTestToolkit,
  type Person,
  skipWithoutPostgres,
  type TestToolkit,
} from '../support/toolkit.ts'

const PAID = 100
const REQUEST_COUNT = 1000
/** Where the crowd itself has been proved: still three for each that is served. */
const FEWER = 300

/** Sold at 0.001 dollars a call, which at 500 000 quota to a dollar is 500 quota. */
const BY_CALL = { model: 'by-call', quota: 500, body: ask('by-call'), requestCount: REQUEST_COUNT }
/**
 * Sold at ratio 1, completion ratio 1. Set aside: 3 tokens that prime the reply, 4 that frame the message, ⌈5 letters /
 * 3.6⌉ = 2 for its text, and the 91 that the request allows, 100 in all; the upstream reports just that.
 */
const BY_TOKEN = { model: 'by-token', quota: 100, body: ask('by-token', { max_tokens: 91 }), requestCount: FEWER }

async function openShop({ database, processes }: { database: DatabaseKind; processes: number }) {
  const fixture = await openTestToolkit({ database })
  const upstream = await startUpstream((exchange) =>
    // Late enough for all of them to be on their way at once.
    setTimeout(() => sendJson(exchange, completion('ok', usage(9, 91))), 30),
  )
  await fixture.toolkit.options.set(fixture.root, 'ModelPrice', JSON.stringify({ 'by-call': 0.001 }))
  await fixture.toolkit.options.set(fixture.root, 'ModelRatio', JSON.stringify({ 'by-token': 1 }))
  await fixture.toolkit.options.set(fixture.root, 'CompletionRatio', JSON.stringify({ 'by-token': 1 }))
  await fixture.channel({ base_url: upstream.url, models: 'by-call,by-token' })
  const servers = await Promise.all(Array.from({ length: processes }, () => startServer(fixture)))
  return { ...fixture, upstream, urls: servers.map(({ url }) => url) }
}

/** So many requests at once, spread over the gateways. */
const rush = (
  urls: string[],
  key: string,
  { body, requestCount }: { body: unknown; requestCount: number },
): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: requestCount }, (_, at) => post({ url: urls[at % urls.length] as string, key, body })),
  )

const served = (answers: Answer[]) => answers.filter(({ status }) => status === 200)
const refused = (answers: Answer[]) => answers.filter(({ status }) => status !== 200)

/** The lowest balance, and the lowest that was free for new holds, that anybody could see until it is asked for. */
function watchBalance({ toolkit }: TestToolkit, { id }: Person) {
  const lowest = { quota: Number.POSITIVE_INFINITY, free: Number.POSITIVE_INFINITY }
  let watching = true
  const watched = (async () => {
    while (watching) {
      const { quota, held_quota } = await toolkit.db.reader('users').where({ id }).first('quota', 'held_quota')
      lowest.quota = Math.min(lowest.quota, quota)
      lowest.free = Math.min(lowest.free, quota - held_quota)
      await sleep(5)
    }
    return lowest
  })()
  return () => {
    watching = false
    return watched
  }
}

const places = [
  { processes: 1, database: 'sqlite' },
  { processes: 2, database: 'sqlite' },
  { processes: 2, database: 'postgres' },
] as const

describe.each(places)('$processes process(es) on $database', ({ processes, database }) => {
  if (database === 'postgres') beforeEach(skipWithoutPostgres)
  const shop = shared(async () => {
    if (database === 'postgres' && 'reason' in (await findPostgres())) return undefined as never
    return openShop({ database, processes })
  })

  test.each([BY_CALL, BY_TOKEN])(
    'a balance for 100 requests of $model serves exactly 100 of $requestCount concurrent ones',
    async (good) => {
      const fixture = shop()
      const { urls, upstream } = fixture
      const { person, bought, key } = await customer(fixture, { user: { quota: PAID * good.quota } })
      upstream.seen.length = 0

      const lowest = watchBalance(fixture, person)
      const answers = await rush(urls, key, good)

      expect(served(answers)).toHaveLength(PAID)
      expect(Math.min(...Object.values(await lowest()))).toBeGreaterThanOrEqual(0)
      for (const answer of refused(answers)) expectRefusal(answer, { status: 403, code: 'insufficient_user_quota' })
      expect(await fixture.balance(person)).toBe(0)
      expect(upstream.seen).toHaveLength(PAID)
      await expectNothingHeld(fixture)
      const logs = (await expectExactBooks(fixture)).filter(({ user_id }) => user_id === person.id)
      expect(logs.map(({ request_id }) => request_id).sort()).toEqual(
        served(answers)
          .map(({ requestId }) => requestId)
          .sort(),
      )
      expect(logs.every(({ quota, token_id }) => quota === good.quota && token_id === bought.id)).toBe(true)
    },
  )

  test('a token budget for 100 requests serves exactly 100 of 300 concurrent ones, for any balance of its owner', async () => {
    const fixture = shop()
    const budget: Partial<NewToken> = { unlimited_quota: false, remain_quota: PAID * BY_CALL.quota }
    const { person, bought, key } = await customer(fixture, { user: { quota: 1e9 }, token: budget })

    const answers = await rush(fixture.urls, key, { ...BY_CALL, requestCount: FEWER })

    expect(served(answers)).toHaveLength(PAID)
    expect(new Set(refused(answers).map(({ status }) => status))).toEqual(new Set([403]))
    // Once the last of it is spent, the token itself counts as used up.
    for (const { json } of refused(answers)) {
      expect(['insufficient_token_quota', 'token_exhausted']).toContain(json.error?.code)
    }
    expect((await fixture.toolkit.tokens.get(person, bought.id)).remain_quota).toBe(0)
    expect(await fixture.balance(person)).toBe(1e9 - PAID * BY_CALL.quota)
    await expectNothingHeld(fixture)
    await expectExactBooks(fixture)
  })

  if (processes > 1) return

  test('a balance for 99 requests and a bit serves 99: the remainder is not enough, and stays', async () => {
    const fixture = shop()
    const { person, key } = await customer(fixture, { user: { quota: PAID * BY_TOKEN.quota - 1 } })

    const answers = await rush(fixture.urls, key, BY_TOKEN)

    expect(served(answers)).toHaveLength(PAID - 1)
    expect(await fixture.balance(person)).toBe(BY_TOKEN.quota - 1)
    await expectExactBooks(fixture)
  })
})
