import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()

async function open() {
  const fixture = await gateway()
  return { ...fixture, api: openApi(fixture) }
}

describe('GET /api/user/first-steps', () => {
  test('marks for root what the gateway has', async () => {
    const fixture = await open()
    const root = await fixture.api.as(fixture.root)
    const steps = async () => {
      const { body } = await root.get('/api/user/first-steps')
      return Object.fromEntries(body.data.steps.map(({ name, done }: { name: string; done: boolean }) => [name, done]))
    }
    const none = { channel: false, test: false, price: false, key: false, request: false, address: false }
    expect(await steps()).toMatchObject(none)

    await fixture.channel({ models: 'gpt-4o,model-without-a-price' })
    await fixture.token(fixture.root)
    expect(await steps()).toMatchObject({ channel: true, price: false, key: true, request: false })
    const { body } = await root.get('/api/user/first-steps')
    expect(body.data.unpriced_models).toEqual(['model-without-a-price'])

    await fixture.toolkit.options.set(fixture.root, 'DefaultModelRatio', '1')
    await fixture.toolkit.options.set(fixture.root, 'ServerAddress', 'https://ai.example')
    const person = await fixture.user({ quota: 1000 })
    await fixture.charge(person, { quota: 1 })
    expect(Object.entries(await steps()).filter(([name, done]) => !done && name !== 'retries')).toEqual([])
  })

  test("are those of the user's own account for others, and stay visible after a grant", async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const api = await fixture.api.as(person)
    const steps = async () => (await api.get('/api/user/first-steps')).body.data

    expect(await steps()).toMatchObject({
      steps: [
        { name: 'key', done: false },
        { name: 'request', done: false },
      ],
    })
    const token = await fixture.token(person)
    expect(await steps()).toMatchObject({ token_id: token.id, channel_id: 0, unpriced_models: [] })
    await fixture.charge(person, { quota: 1 })
    expect((await steps()).steps).toEqual([
      { name: 'key', done: true },
      { name: 'request', done: true },
    ])
  })
})

describe('GET /api/token/:id/models', () => {
  test('lists the usable models of the key, and suggests the cheapest chat model', async () => {
    const fixture = await open()
    await fixture.channel({ models: 'gpt-4o,gpt-4o-mini,text-embedding-3-small,model-without-a-price' })
    await fixture.channel({ models: 'claude-3-5-haiku-20241022', group: 'vip' })
    const person = await fixture.user()
    const free = await fixture.token(person)
    const limited = await fixture.token(person, { model_limits_enabled: true, model_limits: 'gpt-4o' })
    const api = await fixture.api.as(person)

    const models = async (id: number) => (await api.get(`/api/token/${id}/models`)).body.data

    expect(await models(free.id)).toEqual({
      models: ['gpt-4o', 'gpt-4o-mini', 'text-embedding-3-small'],
      suggested: 'gpt-4o-mini',
    })
    expect(await models(limited.id)).toEqual({ models: ['gpt-4o'], suggested: 'gpt-4o' })
    const stranger = await fixture.api.as(await fixture.user())
    expect((await stranger.get(`/api/token/${free.id}/models`)).body).toMatchObject({ success: false })
  })
})
