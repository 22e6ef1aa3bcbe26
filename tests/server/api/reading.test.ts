import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { errorText } from '../../../core/messages/messages.ts'
import { schemaViolationError } from '../../../server/api/reading.ts'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { onBoth, PASSWORD } from '../../support/toolkit.ts'

onBoth('what no schema names', (_open, database) => {
  test('never reaches the database, whatever parameter names core uses', async () => {
    const fixture = await openTestGateway({ database })
    const person = await fixture.user({ quota: 1000 })
    await fixture.charge(person, { quota: 7 })
    const root = await openApi(fixture).as(fixture.root)

    for (const query of ['userId=abc', 'userId=99999999999', 'userId=1&userId=2', 'token_id=x', 'actor=1']) {
      const list = await root.get(`/api/log/?type=2&${query}`)
      const stat = await root.get(`/api/log/stat?${query}`)

      expect({ query, total: list.body.data?.total }).toEqual({ query, total: 1 })
      expect({ query, quota: stat.body.data?.quota }).toEqual({ query, quota: 7 })
    }
  })
})

test('property names are case-insensitive', async () => {
  const fixture = await openTestGateway()
  const person = await fixture.user()
  const code = await fixture.code(500)
  const api = openApi(fixture)
  const client = await api.as(person)

  const login = await api.anonymous().post('/api/user/login', { Username: person.username, PASSWORD })
  const renamed = await client.put('/api/user/self', { Display_Name: 'Ann' })
  const redeemed = await client.post('/api/user/topup', { Key: code })

  expect(login.body).toMatchObject({ success: true, data: { id: person.id } })
  expect(renamed.body.success).toBe(true)
  expect((await client.get('/api/user/self')).body.data).toMatchObject({ display_name: 'Ann', quota: 500 })
  expect(redeemed.body).toMatchObject({ success: true, data: 500 })
})

test('of two spellings of a name the documented one is used', async () => {
  const fixture = await openTestGateway()
  const client = await openApi(fixture).as(await fixture.user())

  await client.put('/api/user/self', { DISPLAY_NAME: 'Loud', display_name: 'Right', Display_Name: 'Odd' })

  expect((await client.get('/api/user/self')).body.data.display_name).toBe('Right')
})

test.each([
  ['zh', '{', '请求体必须是合法的 JSON 对象'],
  ['zh', '[]', '请求体必须是合法的 JSON 对象'],
  ['en', '{', 'The body must be a JSON object'],
  ['en', JSON.stringify({ username: 'x'.repeat(5_000_000) }), 'The request body is larger than 262144 bytes'],
])('in %s, an unreadable body is rejected in that language only', async (language, body, message) => {
  const fixture = await openTestGateway()

  const answer = await openApi(fixture).anonymous().post('/api/user/login', body, { 'accept-language': language })

  expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { success: false, message } })
})

test.each([
  { pattern: '^a$' },
  { const: 'a' },
  { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
  { oneOf: [{ type: 'string' }, { type: 'string' }] },
  { maxItems: 1, value: [1, 2] },
  { minItems: 1, value: [] },
  { uniqueItems: true, value: [7, 7] },
  { maxProperties: 0, value: { a: 1 } },
  { minProperties: 1, value: {} },
  { additionalProperties: false, value: { a: 1 } },
  { multipleOf: 2, value: 3 },
])('a violation of %j has the words of the validator, and Chinese ones', ({ value = 'b', ...schema }) => {
  const validate = new Ajv({ verbose: true, strictTypes: false }).compile({
    type: 'object',
    properties: { field: schema },
  })

  validate({ field: value })

  const violation = validate.errors?.at(-1)
  if (!violation) throw new Error('the value is accepted')
  const error = schemaViolationError(violation)
  expect(errorText(error, 'en')).toBe(`Invalid input: field ${violation.message}`)
  expect(errorText(error, 'zh')).toMatch(/^无效的参数：field [^a-z]*[\p{sc=Han}][^a-z]*(\^a\$)?$/u)
})

test.each([
  ['en', 'Invalid input: sort must be one of id, name'],
  ['zh', '无效的参数：sort 必须是以下之一：id, name'],
] as const)(
  'a value that is not one of the allowed values gets a message with these values, in %s',
  (language, text) => {
    const schema = { type: 'object', properties: { sort: { enum: ['id', 'name'] } } }
    const validate = new Ajv({ verbose: true, strictTypes: false }).compile(schema)
    validate({ sort: 'password' })
    const [violation] = validate.errors ?? expect.fail('the value is accepted')
    if (violation) expect(errorText(schemaViolationError(violation), language)).toBe(text)
  },
)
