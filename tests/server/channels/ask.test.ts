import { describe, expect, test } from 'vitest'
import { parseSettings } from '../../../core/channels/settings/settings.ts'
import { queryUpstream } from '../../../server/channels/ask.ts'
import { sendJson, startUpstream } from '../../support/hand-made-upstream.ts'
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts'

const channelWith = (proxy: string) => ({ id: 7, settings: parseSettings(JSON.stringify({ proxy })) })

describe('balances and model lists', () => {
  test.each([
    ['HTTP', startHttpProxy],
    ['SOCKS', startSocksProxy],
  ])('are requested through the proxy of their channel, %s', async (_, start) => {
    const upstream = await startUpstream((exchange) => sendJson(exchange, { total: 1 }))
    const proxy = await start()

    const answer = await queryUpstream(`${upstream.url}/user/balance?a=1`, { 'x-key': 'k' }, channelWith(proxy.url))

    expect(answer).toEqual({ total: 1 })
    expect(proxy.requests).toEqual([new URL(upstream.url).host])
    expect(upstream.seen[0]).toMatchObject({ path: '/user/balance?a=1', headers: { 'x-key': 'k' } })
  })

  test('do not bypass an unusable proxy', async () => {
    const upstream = await startUpstream((exchange) => sendJson(exchange, {}))
    await expect(queryUpstream(upstream.url, {}, channelWith('ftp://proxy.example'))).rejects.toMatchObject({
      code: 'CHANNEL_MISCONFIGURED',
    })
    expect(upstream.seen).toEqual([])
  })

  test('report an unreachable upstream if the proxy refuses', async () => {
    const proxy = await startHttpProxy({ status: 403 })
    await expect(queryUpstream('http://upstream.example/', {}, channelWith(proxy.url))).rejects.toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
    })
  })
})
