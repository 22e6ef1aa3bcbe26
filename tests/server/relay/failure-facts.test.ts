import { expect, test } from 'vitest'
import { ask, send } from '../../support/chat.ts'
import { customer, MODEL, openTestGateway, setPrices } from '../../support/gateway.ts'

type Opened = Awaited<ReturnType<typeof open>>

async function open() {
  const fixture = await openTestGateway()
  await setPrices(fixture)
  await fixture.channel({ models: `${MODEL},no-price` })
  const buyer = await customer(fixture)
  const { toolkit, root, url } = fixture
  const rows = async () => (await toolkit.logs.list(root, { type: 5 })).items
  const chat = (model: string, call: { path?: string; headers?: Record<string, string> } = {}) =>
    send({ url, key: buyer.key, body: ask(model), ...call })
  return { ...fixture, ...buyer, rows, chat }
}

const CASES = [
  ['token_model', 'a key with a list of other models', MODEL, { model_limits_enabled: true, model_limits: 'other' }],
  ['model_not_found', 'a model that no channel serves', 'no-such-model', {}],
  ['model_price_error', 'a model without a price', 'no-price', {}],
  ['token_group', 'a key of a group that its user may not use', MODEL, { group: 'vip' }],
] as const

test.each(CASES)('a row of %s names model, key, user and group: %s', async (code, _, model, token) => {
  const { chat, rows, person, bought, toolkit, root } = await open()
  if ('group' in token) {
    await toolkit.options.set(root, 'UserUsableGroups', '{"default":"","vip":""}')
    await toolkit.tokens.update(person, bought.id, token)
    await toolkit.options.set(root, 'UserUsableGroups', '{"default":""}')
  } else await toolkit.tokens.update(person, bought.id, token)

  expect((await chat(model)).ok).toBe(false)

  await expect.poll(rows).toHaveLength(1)
  const [row] = await rows()
  expect(JSON.parse(row?.other ?? '')).toMatchObject({ code })
  expect(row).toMatchObject({
    model_name: model,
    user_id: person.id,
    username: person.username,
    token_id: bought.id,
    token_name: bought.name,
    group: 'group' in token ? 'vip' : 'default',
  })
})

test.each([
  ['disabled', ({ toolkit, person, bought }: Opened) => toolkit.tokens.setStatus(person, bought.id, 2)],
  [
    'exhausted',
    ({ toolkit, person, bought }: Opened) =>
      toolkit.tokens.update(person, bought.id, { unlimited_quota: false, remain_quota: 0 }),
  ],
  [
    'limited to other addresses',
    ({ toolkit, person, bought }: Opened) => toolkit.tokens.update(person, bought.id, { allow_ips: '10.9.8.7' }),
  ],
] as const)('a row of a key that is %s names its user, key and group', async (_, change) => {
  const opened = await open()
  const { chat, rows, person, bought } = opened
  await change(opened)

  expect((await chat(MODEL)).ok).toBe(false)

  await expect.poll(rows).toHaveLength(1)
  expect((await rows())[0]).toMatchObject({
    user_id: person.id,
    username: person.username,
    token_id: bought.id,
    token_name: bought.name,
    group: 'default',
  })
})

test.each([
  ['Gemini', '/v1beta/models/path-model:generateContent'],
  ['Gemini with a doubled slash', '//v1beta/models/path-model:generateContent'],
  ['Azure', '/openai/deployments/path-model/chat/completions'],
  ['embeddings', '/v1/engines/path-model/embeddings'],
])('a row of a disabled key has the model of the path: %s', async (_, path) => {
  const { chat, rows, person, bought, toolkit } = await open()
  await toolkit.tokens.setStatus(person, bought.id, 2)

  expect((await chat(MODEL, { path })).status).toBe(401)

  await expect.poll(rows).toHaveLength(1)
  expect((await rows())[0]).toMatchObject({ model_name: 'path-model', username: person.username })
})

test('a row has the model of a request whose other fields are wrong', async () => {
  const { url, key, rows, person } = await open()
  await send({ url, key, body: { model: MODEL, messages: 'none' } })
  await expect.poll(rows).toHaveLength(1)
  expect((await rows())[0]).toMatchObject({ model_name: MODEL, group: 'default', username: person.username })
})

test('a row of a token count has the model that no channel serves', async () => {
  const { url, key, rows } = await open()
  const body = ask('no-such-model')
  expect((await send({ url, key, path: '/v1/messages/count_tokens', body })).ok).toBe(false)
  await expect.poll(rows).toHaveLength(1)
  expect((await rows())[0]).toMatchObject({ model_name: 'no-such-model', group: 'default' })
})
