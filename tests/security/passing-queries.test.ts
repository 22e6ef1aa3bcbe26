import { beforeEach, describe, expect, test } from 'vitest'
import { ask } from '../support/chat.ts'
import { MODEL, type TestRelay } from '../support/gateway.ts'
import { completion, onlyRequest, sendJson, usage } from '../support/hand-made-upstream.ts'
import { reusedRelay } from '../support/reused.ts'

/*
 * Google's front ends read parameters of their own for every API, in OpenAI's format too: `fields=choices` leaves the usage out of a
 * reply, and with it the hidden reasoning.
 */

const open = reusedRelay()
let relay: TestRelay
beforeEach(async () => {
  relay = await open((exchange) => sendJson(exchange, completion('Hello.', usage(9, 3))))
})

/** The query that the upstream gets for that of a client. */
async function passed(query: string): Promise<string> {
  const { status } = await relay.chat(ask(MODEL), { path: `/v1/chat/completions?${query}` })
  expect(status).toBe(200)
  return onlyRequest(relay.upstream).path.split('?')[1] ?? ''
}

describe("of a client's query", () => {
  test.each([
    ['fields=choices', 'a part of the reply'],
    ['$fields=choices', 'the same with a dollar sign'],
    ['%24fields=choices', 'the same, escaped'],
    ['%66ields=choices', 'the same, escaped'],
    ['FIELDS=choices', 'the same in another case'],
    ['x=1;fields=choices', 'the same behind another mark'],
    ['alt=proto', 'another format'],
    ['callback=run', 'a script'],
    ['$userProject=other', 'another payer'],
    ['quota_user=other', 'another account of limits'],
    ['access_token=stolen', 'another credential'],
    ['oauth_token=stolen', 'another credential'],
    ['model=dearer', 'another model'],
  ])('%s is dropped: %s', async (query) => {
    expect(await passed(query)).toBe('')
  })

  test('the rest is forwarded unchanged', async () => {
    expect(await passed('api-version=2024&fields=x&beta=true&GroupId=a%20b')).toBe(
      'api-version=2024&beta=true&GroupId=a%20b',
    )
  })
})
