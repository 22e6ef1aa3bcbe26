import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { ask, eventsOf } from '../../support/chat.ts'
import { MODEL, priceOf } from '../../support/gateway.ts'
import type { Exchange } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'
import { banWithSessions } from '../../support/toolkit.ts'

const openRelay = reusedRelay()

const PATH = '/pg/chat/completions'

function reply({ body, response }: Exchange): void {
  if (body.stream) {
    const chunk = (delta: object, usage?: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta }], ...(usage && { usage }) })}\n\n`,
      )
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    chunk({ content: 'hel' })
    chunk({ content: 'lo' }, { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 })
    response.end('data: [DONE]\n\n')
    return
  }
  const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({ id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'hello' } }], usage }),
  )
}

describe('POST /pg/chat/completions', () => {
  test('streams to the signed-in user, and charges their balance without an API key', async () => {
    const fixture = await openRelay(reply)
    const caller = await openApi(fixture).as(fixture.person)
    const before = await fixture.balance(fixture.person)

    const { status, text } = await caller.post(PATH, {
      ...ask(MODEL, { stream: true, temperature: 0 }),
      group: 'default',
      max_tokens: 0,
    })

    expect(status).toBe(200)
    expect(
      eventsOf(text)
        .flatMap(({ choices }) => choices?.[0]?.delta?.content ?? [])
        .join(''),
    ).toBe('hello')
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true)
    expect(await fixture.balance(fixture.person)).toBe(before - priceOf(5, 2))
    const { items } = await fixture.toolkit.logs.list(fixture.root, { type: 2 })
    expect(items).toMatchObject([
      { token_name: 'playground-default', token_id: 0, group: 'default', quota: priceOf(5, 2) },
    ])
  })

  test('sends the upstream neither the group nor a null limit', async () => {
    const fixture = await openRelay(reply)
    const caller = await openApi(fixture).as(fixture.person)

    await caller.post(PATH, { ...ask(MODEL), group: 'default', max_tokens: 0 })

    expect(fixture.upstream.seen[0]?.body).toEqual(ask(MODEL))
  })

  test('rejects an access token, which is for scripts', async () => {
    const fixture = await openRelay(reply)
    const caller = await openApi(fixture).byAccessToken(fixture.person)

    const { status, body } = await caller.post(PATH, ask(MODEL))

    expect(status).toBe(400)
    expect(body.error).toMatchObject({ code: 'access_token_not_supported' })
  })

  test('rejects a visitor like the management API', async () => {
    const fixture = await openRelay(reply)
    const api = openApi(fixture)
    const session = await api.as(fixture.person)

    const visitor = await api.anonymous().post(PATH, ask(MODEL))
    const byKey = await api.anonymous().post(PATH, ask(MODEL), { authorization: `Bearer ${fixture.key}` })
    const withoutHeader = await session.post(PATH, ask(MODEL), { 'tollgate-user': '' })
    await banWithSessions(fixture, fixture.person.id)
    const banned = await session.post(PATH, ask(MODEL))

    expect([visitor, byKey, withoutHeader, banned].map(({ status, body }) => [status, body])).toEqual([
      [401, { success: false, message: '无权进行此操作，未登录且未提供 access token' }],
      [200, { success: false, message: '无权进行此操作，access token 无效' }],
      [401, { success: false, message: '无权进行此操作，未提供 Tollgate-User' }],
      [200, { success: false, message: '用户已被封禁' }],
    ])
  })

  test.each([
    {
      what: 'a group that is not theirs',
      body: { ...ask(MODEL), group: 'svip' },
      status: 403,
      code: 'group_not_allowed',
    },
    { what: 'no model', body: { messages: [] }, status: 400, code: 'model_required' },
    { what: 'a body that is no JSON', body: '{', status: 400, code: 'request_malformed' },
    { what: 'a model without a channel', body: ask('unheard-of'), status: 404, code: 'model_not_found' },
  ])('rejects $what, and charges nothing', async ({ body, status, code }) => {
    const fixture = await openRelay(reply)
    const caller = await openApi(fixture).as(fixture.person)
    const before = await fixture.balance(fixture.person)

    const answer = await caller.post(PATH, body)

    expect(answer.status).toBe(status)
    expect(answer.body.error).toMatchObject({ code })
    expect(await fixture.balance(fixture.person)).toBe(before)
  })
})

describe('POST /pg/terminal/chat/completions', () => {
  test('accepts an access token, and charges its owner with the requested group', async () => {
    const fixture = await openRelay(reply)
    const caller = await openApi(fixture).byAccessToken(fixture.person)
    const before = await fixture.balance(fixture.person)

    const { status, text } = await caller.post('/pg/terminal/chat/completions', { ...ask(MODEL), group: 'default' })

    expect(status).toBe(200)
    expect(text).toContain('"hello"')
    expect(await fixture.balance(fixture.person)).toBe(before - priceOf(5, 2))
  })

  test('rejects visitors, API keys and groups of others', async () => {
    const fixture = await openRelay(reply)
    const path = '/pg/terminal/chat/completions'
    const caller = await openApi(fixture).byAccessToken(fixture.person)

    const byKey = await openApi(fixture)
      .anonymous()
      .post(path, ask(MODEL), { authorization: `Bearer ${fixture.key}` })
    expect(byKey.body.success).toBe(false)
    expect((await openApi(fixture).anonymous().post(path, ask(MODEL))).status).toBe(401)
    expect((await caller.post(path, { ...ask(MODEL), group: 'svip' })).status).toBe(403)
    expect(fixture.upstream.seen).toEqual([])
  })
})
