import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { openApi } from '../../support/api.ts'
import { ask, post } from '../../support/chat.ts'
import { customer, MODEL, openTestGateway, setPrices } from '../../support/gateway.ts'
import { sendJson, startUpstream } from '../../support/hand-made-upstream.ts'
import { onBoth } from '../../support/toolkit.ts'

/** A channel whose upstream has said that it is limited, and one that was disabled by hand. */
async function open(database: 'sqlite' | 'postgres' = 'sqlite') {
  const fixture = await openTestGateway({ database })
  await setPrices(fixture)
  const { key } = await customer(fixture)
  const upstream = await startUpstream((exchange) =>
    sendJson(exchange, { error: { message: 'slow down' } }, 429, { 'retry-after': '90' }),
  )
  const limited = await fixture.channel({ base_url: upstream.url, models: MODEL, name: 'limited' })
  const out = await fixture.channel({ models: 'other', name: 'out' })
  await fixture.toolkit.channels.setStatus(fixture.root, out.id, 2)
  await post({ url: fixture.url, key, body: ask(MODEL) })
  const admin = await openApi(fixture).as(await fixture.user({ role: ROLE.admin }))
  const read = async (path: string) => (await admin.get(path)).body.data
  await expect.poll(async () => (await read('/api/channel/health')).circuits.length, { timeout: 10_000 }).toBe(1)
  return { ...fixture, limited, out, admin, read }
}

describe('GET /api/channel/health', () => {
  test('shows circuits that are not closed, and disabled channels; stopping a gateway removes its circuits', async () => {
    const { read, limited, out, gateway, toolkit, root } = await open()
    const { circuits, disabled } = await read('/api/channel/health')
    expect(circuits).toEqual([
      {
        channel_id: limited.id,
        channel_name: 'limited',
        node_id: toolkit.ledger.nodeId,
        scope: 'limit',
        subject: MODEL,
        state: 'open',
        class: 'limited',
        reason: 'status code 429: slow down',
        since: expect.any(Number),
        retry_at: expect.any(Number),
      },
    ])
    expect(circuits[0].retry_at - circuits[0].since).toBeGreaterThanOrEqual(90)
    expect(disabled).toEqual([{ channel_id: out.id, channel_name: 'out', status: 2, reason: '', since: 0 }])

    await gateway.close()
    expect((await toolkit.channels.health(root)).circuits).toEqual([])
  })
})

onBoth('GET /api/channel/:id/health', (_, database) => {
  test('shows one channel and its history, newest first', async () => {
    const { read, admin, limited, out, toolkit, root, failures } = await open(database)
    const one = await read(`/api/channel/${limited.id}/health`)
    expect(one).toMatchObject({ channel_id: limited.id, status: 1, healthy: false, disabled: null })
    expect(one.circuits).toHaveLength(1)
    expect(one.events).toMatchObject([{ event: 'opened', scope: 'limit', subject: MODEL, class: 'limited' }])

    await toolkit.channels.setStatus(root, out.id, 1)
    expect(await read(`/api/channel/${out.id}/health`)).toMatchObject({
      healthy: true,
      events: [
        { event: 'enabled', class: 'manual' },
        { event: 'disabled', class: 'manual' },
      ],
    })
    expect((await admin.get('/api/channel/999/health')).body).toEqual({ success: false, message: '渠道 999 不存在' })
    expect(failures).toEqual([])
  })
})
