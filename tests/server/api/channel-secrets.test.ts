import { expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { sendJson, startUpstream } from '../../support/hand-made-upstream.ts'
import { onBoth } from '../../support/toolkit.ts'

const SECRET = 'sk-recognise-me-if-you-can'

onBoth('what the channel routes answer', (_, database) => {
  test('never contains a channel key, even if the upstream repeats it', async () => {
    const upstream = await startUpstream((exchange) =>
      sendJson(exchange, { error: { message: JSON.stringify(exchange.headers) }, code: 1, message: SECRET }, 401),
    )
    const fixture = await openTestGateway({ database })
    const client = await openApi(fixture).as(fixture.root)
    const shared = { type: 40, models: 'gpt-4o', tag: 't', base_url: upstream.url }
    const whole = { id: 1, name: 'x', ...shared, key: SECRET }
    const answers: string[] = []
    const keep = async (answer: Promise<{ text: string; status: number }>) => {
      const { text, status } = await answer
      expect(status).toBe(200)
      answers.push(text)
    }

    await keep(client.post('/api/channel/', { ...shared, name: 'one', key: `${SECRET}\n${SECRET}2` }))
    for (const query of ['', '?tag_mode=true', '?id_sort=true']) await keep(client.get(`/api/channel/${query}`))
    for (const query of ['', `&tag_mode=true`, `&keyword=${SECRET}`, `&keyword=${SECRET}&tag_mode=true`]) {
      await keep(client.get(`/api/channel/search?group=default${query}`))
    }
    await keep(client.get('/api/channel/1'))
    await keep(client.put('/api/channel/', whole))
    await keep(client.put('/api/channel/', { ...whole, id: 99 }))
    await keep(client.put('/api/channel/', { ...whole, weight: -1 }))
    await keep(client.post('/api/channel/', { ...whole, models: 5 }))
    await keep(client.get('/api/channel/test/1'))
    await keep(client.get('/api/channel/update_balance/1'))
    await keep(client.get('/api/channel/update_balance'))
    await keep(client.get('/api/channel/fetch_models/1'))
    await keep(client.post('/api/channel/fetch_models', { ...shared, key: SECRET }))
    await keep(client.put('/api/channel/tag', { tag: 't', weight: 1 }))
    await keep(client.post('/api/channel/tag/disabled', { tag: 't' }))
    await keep(client.post('/api/channel/tag/enabled', { tag: 't' }))
    await keep(client.post('/api/channel/batch/tag', { ids: [1], tag: 'u' }))
    await keep(client.post('/api/channel/fix'))
    await keep(client.get('/api/channel/models'))
    await keep(client.get('/api/log/?p=1&page_size=100'))
    await keep(client.delete('/api/channel/1'))
    await keep(client.post('/api/channel/batch', { ids: [2] }))
    await keep(client.delete('/api/channel/disabled'))

    expect(upstream.seen.some(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(true)
    for (const text of answers) expect(text).not.toContain(SECRET)
  })
})
