import { expect, test } from 'vitest'
import { ask } from '../../support/chat.ts'
import { MODEL, openTestRelay } from '../../support/gateway.ts'
import { completion, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'

const fixture = shared(() => openTestRelay((exchange) => sendJson(exchange, completion('Done', usage(11, 3)))))

/** The exact path is served before the router, the other one by it. */
const SPELLINGS = [
  '/v1/chat/completions',
  '/v1/chat/completions/',
  '//v1/chat/completions',
  '/chat/completions',
] as const

async function headersOf(path: string, init: RequestInit) {
  const response = await fetch(fixture().url + path, { method: 'POST', ...init })
  const text = await response.text()
  const headers = Object.fromEntries(response.headers)
  for (const name of ['date', 'x-request-id', 'x-oneapi-request-id', 'content-length', 'transfer-encoding'])
    delete headers[name]
  return { status: response.status, type: headers['content-type'], headers, text }
}

test.each(SPELLINGS)('%s serves the same reply', async (path) => {
  const { key } = fixture()
  const init = {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ask(MODEL)),
  }

  expect(await headersOf(path, init)).toEqual(await headersOf(SPELLINGS[0], init))
})

test.each(['navigate', 'nested-navigate'])('a browser request by %s is rejected', async (mode) => {
  for (const path of SPELLINGS.slice(0, 2)) {
    const { status, text } = await headersOf(path, { headers: { 'sec-fetch-mode': mode } })
    // The client of these tests may not send the header: then there is no key.
    expect([401, 403]).toContain(status)
    if (status === 403) expect(text).toContain('request_navigation')
  }
})

test('the content type of a form is case-insensitive', async () => {
  const boundary = 'aB'
  const body = `--${boundary}\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nx\r\n--${boundary}--\r\n`
  const send = (type: string) =>
    headersOf('/v1/audio/transcriptions', {
      headers: { authorization: `Bearer ${fixture().key}`, 'content-type': `${type}; boundary=${boundary}` },
      body,
    })

  expect((await send('Multipart/Form-Data')).text).not.toContain('not valid JSON')
})
