import { beforeEach, describe, expect, test } from 'vitest'
import { charges, expectExactBooks } from '../../support/books.ts'
import { ask, post } from '../../support/chat.ts'
import { customer, MODEL, openTestGateway, openTestRelay, setPrices } from '../../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { type DatabaseKind, skipWithoutPostgres } from '../../support/toolkit.ts'

const PATIENCE_MS = 4000

/** Any name that begins so is served: the wildcard of customised models. */
const GIZMO = 'gpt-4-gizmo-'

describe.each(['sqlite', 'postgres'] as const)('on %s', (database: DatabaseKind) => {
  if (database === 'postgres') beforeEach(skipWithoutPostgres)

  async function openShop(reported = usage(10, 1)) {
    const upstream = await startUpstream((exchange) => sendJson(exchange, completion('ok', reported)))
    const fixture = await openTestGateway({ database })
    await setPrices(fixture, { [`${GIZMO}*`]: 3 })
    await fixture.channel({ base_url: upstream.url, models: `${GIZMO}*` })
    return { ...fixture, upstream, ...(await customer(fixture)) }
  }

  const names = {
    'is longer than the log has room for': GIZMO + 'x'.repeat(4000),
    'has a NUL': `${GIZMO}a\0b`,
    'has quotes and backslashes': `${GIZMO}'; DROP TABLE logs; --\\"`,
    'has emoji and half an emoji': `${GIZMO}😀\ud83d`,
  }
  test.each(Object.entries(names))('a model whose name %s is served, and blocks no other request', async (_, model) => {
    const fixture = await openShop()

    const answers = await Promise.all(
      [model, `${GIZMO}plain`].map((name) =>
        post({ ...fixture, body: ask(name), signal: AbortSignal.timeout(PATIENCE_MS) }),
      ),
    )

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await expectExactBooks(fixture)).toHaveLength(2)
  })

  test('an upstream that reports too many tokens for an integer does not stop the gateway', async () => {
    const fixture = await openShop(usage(3_000_000_000, 1e300))

    const answer = await post({ ...fixture, body: ask(`${GIZMO}a`), signal: AbortSignal.timeout(PATIENCE_MS) })

    expect(answer.status).toBe(200)
    expect(await expectExactBooks(fixture)).toHaveLength(1)
  })
})

test('names and ids with quotes, NUL and emoji are forwarded unchanged', async () => {
  const odd = { id: 'chat\'\0"; DROP TABLE logs; --😀', model: "m'\0" }
  const fixture = await openTestRelay((exchange) => sendJson(exchange, completion("it's\0", usage(5, 5), odd)))

  const answer = await fixture.chat(ask(MODEL))

  expect(answer.json).toMatchObject(odd)
  expect(await expectExactBooks(fixture)).toHaveLength(1)
})

test('names of users and tokens with quotes and emoji are logged unchanged', async () => {
  const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))), {
    user: { username: `o'B"r--😀;` },
    token: { name: `t'); DROP--\\😀 "` },
  })

  expect((await fixture.chat(ask(MODEL))).status).toBe(200)

  expect(await charges(fixture)).toMatchObject([{ username: `o'B"r--😀;`, token_name: `t'); DROP--\\😀 "` }])
  await expectExactBooks(fixture)
})
