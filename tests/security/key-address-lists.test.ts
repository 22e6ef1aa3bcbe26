import { expect, test } from 'vitest'
import { customer, serve, setPrices } from '../support/gateway.ts'
import { onBoth } from '../support/toolkit.ts'

/** Each path that takes an API key as its credential. */
const PATHS = [
  '/dashboard/billing/subscription',
  '/dashboard/billing/usage',
  '/v1/dashboard/billing/subscription',
  '/v1/dashboard/billing/usage',
  '/v1/models',
  '/v1beta/models',
  '/suno/fetch/some-id',
  '/mj/task/some-id/fetch',
]
const POSTS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/suno/fetch',
  '/mj/task/list-by-condition',
]

onBoth('a stolen key from an address that is not on its list', (open) => {
  async function openKeys() {
    const fixture = await open()
    await setPrices(fixture)
    const { url } = await serve(fixture)
    const key = async (allow_ips: string) => (await customer(fixture, { token: { allow_ips } })).key
    return { url, elsewhere: await key('203.0.113.1'), here: await key('127.0.0.0/8\n::1') }
  }

  test('reads nothing from other addresses', async () => {
    const { url, elsewhere, here } = await openKeys()
    const ask = async (path: string, key: string, method = 'GET') => {
      const body =
        method === 'POST' ? '{"model":"test-model","max_tokens":1,"messages":[{"role":"user","content":"x"}]}' : null
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      return (await fetch(url + path, { method, headers, body })).status
    }

    for (const path of PATHS) expect([path, await ask(path, elsewhere)]).toEqual([path, 403])
    for (const path of POSTS) expect([path, await ask(path, elsewhere, 'POST')]).toEqual([path, 403])
    for (const path of PATHS.slice(0, 5)) expect([path, await ask(path, here)]).toEqual([path, 200])
  })

  test('reads no log rows', async () => {
    const { url, elsewhere, here } = await openKeys()
    const read = async (key: string) => {
      const answer = await fetch(`${url}/api/log/token?key=${key}`, { headers: { 'accept-language': 'en' } })
      return { named: answer.headers.get('tollgate-error') ?? '', body: await answer.json() }
    }

    const refused = await read(elsewhere)
    expect(refused.body).toMatchObject({ success: false })
    expect(decodeURIComponent(refused.named)).toContain('"TOKEN_IP"')
    expect((await read(here)).body).toMatchObject({ success: true, data: [] })
  })
})
