import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { DrawingParts } from '../../../../../server/relay/tasks/midjourney/exchange.ts'
import { listCallerDrawings } from '../../../../../server/relay/tasks/midjourney/queries.ts'
import { call, expectDrawingRefusal, MJ_KEY, openDrawingGateway, rowsOf } from '../../../../support/drawing-gateway.ts'
import { type Customer, customer } from '../../../../support/gateway.ts'
import { shared } from '../../../../support/lifetime.ts'
import { answering } from '../../../../support/midjourney-proxy.ts'

const fixture = shared(openDrawingGateway)
const get = (path: string, buyer?: Customer) =>
  call(fixture(), 'GET', path, buyer && { headers: { authorization: `Bearer ${buyer.key}` } })
const list = (buyer: Customer, body: unknown) =>
  call(fixture(), 'POST', '/mj/task/list-by-condition', { key: buyer.key, body })

const BUTTONS = [{ customId: 'MJ::JOB::upsample::1::x', emoji: '', label: 'U1', type: 2, style: 2 }]
let count = 0

async function drawn(row: Record<string, unknown> = {}) {
  const { toolkit, servedBy } = fixture()
  const buyer = await customer(fixture())
  const mj_id = `drawn-${++count}`
  const ownDrawing = {
    user_id: buyer.person.id,
    channel_id: servedBy.id,
    mj_id,
    action: 'UPSCALE',
    prompt: 'eine Katze',
    prompt_en: 'a cat',
    description: 'Submit success',
    state: 's',
    submit_time: 1_700_000_000_001,
    start_time: 1_700_000_000_002,
    finish_time: 1_700_000_000_003,
    image_url: 'https://cdn.example/1.png',
    status: 'SUCCESS',
    progress: '100%',
    buttons: JSON.stringify(BUTTONS),
    properties: JSON.stringify({ finalPrompt: 'cat', more: 1 }),
    bot_type: 'NIJI_JOURNEY',
    custom_id: 'MJ::x',
    video_url: 'https://cdn.example/1.mp4',
    ...row,
  }
  await toolkit.db.transaction((trx) => trx('midjourneys').insert(ownDrawing))
  return { ...buyer, id: String(ownDrawing.mj_id) }
}

describe('a drawing', () => {
  test('is shown to its owner, field by field', async () => {
    const buyer = await drawn()
    expect(await get(`/mj/task/${buyer.id}/fetch`, buyer)).toMatchObject({
      status: 200,
      json: {
        id: buyer.id,
        action: 'UPSCALE',
        customId: 'MJ::x',
        botType: 'NIJI_JOURNEY',
        prompt: 'eine Katze',
        promptEn: 'a cat',
        description: 'Submit success',
        state: 's',
        submitTime: 1_700_000_000_001,
        startTime: 1_700_000_000_002,
        finishTime: 1_700_000_000_003,
        imageUrl: expect.stringMatching(new RegExp(`/mj/image/${buyer.id}\\?signature=[0-9a-f]{32}$`)),
        videoUrl: 'https://cdn.example/1.mp4',
        status: 'SUCCESS',
        progress: '100%',
        failReason: '',
        buttons: BUTTONS,
        maskBase64: '',
        properties: { finalPrompt: 'cat', finalZhPrompt: '', more: 1 },
      },
    })
  })

  test('without JSON texts has an empty list and empty prompts', async () => {
    const buyer = await drawn({ buttons: '', properties: 'null', image_url: '' })
    const { json } = await get(`/mj/task/${buyer.id}/fetch`, buyer)
    expect(json).toMatchObject({ buttons: [], properties: { finalPrompt: '', finalZhPrompt: '' }, imageUrl: '' })
  })

  test('in progress has another picture address each time', async () => {
    const buyer = await drawn({ status: 'IN_PROGRESS', progress: '50%' })
    const address = async () => (await get(`/mj/task/${buyer.id}/fetch`, buyer)).json.imageUrl
    const [first, second] = [await address(), await address()]
    expect(first).toMatch(new RegExp(`^http://localhost:3000/mj/image/${buyer.id}\\?signature=[0-9a-f]{32}&rand=\\d+$`))
    expect(second).not.toBe(first)
  })

  test("has the upstream's address, if the operator enables it, here and in the console", async () => {
    const { toolkit, root } = fixture()
    const buyer = await drawn()
    const responses = async () => [
      (await get(`/mj/task/${buyer.id}/fetch`, buyer)).json.imageUrl,
      (await toolkit.tasks.listDrawings(buyer.person, { mj_id: buyer.id }))[0]?.image_url,
    ]
    const here = expect.stringMatching(new RegExp(`/mj/image/${buyer.id}\\?signature=[0-9a-f]{32}$`))
    expect(await responses()).toEqual([here, here])
    await toolkit.options.set(root, 'MjForwardUrlEnabled', 'false')
    expect(await responses()).toEqual(['https://cdn.example/1.png', 'https://cdn.example/1.png'])
    await toolkit.options.set(root, 'MjForwardUrlEnabled', 'true')
  })

  test('of another user is not found', async () => {
    const { id } = await drawn()
    const stranger = await customer(fixture())
    expectDrawingRefusal(await get(`/mj/task/${id}/fetch`, stranger), { reason: 'task_no_found' })
    expectDrawingRefusal(await get(`/mj/task/${id}/image-seed`, stranger), { reason: 'task_no_found' })
    expectDrawingRefusal(await get('/mj/task/%00/fetch', stranger), { reason: 'task_no_found' })
    expectDrawingRefusal(await get(`/mj/task/${id}/fetch`), { reason: 'token_missing', status: 401 })
    expect((await list(stranger, { ids: [id] })).json).toEqual([])
  })
})

test('of an exhausted key is still found, one by one and in a list', async () => {
  const buyer = await drawn()
  await fixture().toolkit.db.transaction((trx) =>
    trx('tokens').where({ id: buyer.bought.id }).update({ unlimited_quota: false, remain_quota: 0, status: 4 }),
  )
  expect(await get(`/mj/task/${buyer.id}/fetch`, buyer)).toMatchObject({ status: 200, json: { id: buyer.id } })
  expect(await list(buyer, { ids: [buyer.id] })).toMatchObject({ status: 200, json: [{ id: buyer.id }] })
})

describe('a list', () => {
  test('has the caller’s own, each once, and nothing for unknown ids', async () => {
    const buyer = await drawn()
    await fixture().toolkit.db.transaction((trx) =>
      trx('midjourneys').insert({ user_id: buyer.person.id, mj_id: buyer.id, action: 'MODAL' }),
    )
    const answer = await list(buyer, { ids: [buyer.id, buyer.id, 'unknown', 7, null] })
    expect(answer).toMatchObject({ status: 200, json: [{ id: buyer.id, action: 'MODAL' }] })
    expect((await list(buyer, { ids: [] })).json).toEqual([])
    expect((await list(buyer, {})).json).toEqual([])
  })

  test.each(['{', '[]', '{"ids":"x"}', JSON.stringify({ ids: Array.from({ length: 1001 }, String) })])(
    'is rejected for a body like %.20s',
    async (body) => {
      expectDrawingRefusal(await list(await customer(fixture()), body), { reason: 'do_request_failed' })
    },
  )
})

test('a bug of the gateway while it reads the ids is not reported as an invalid body', async () => {
  const body = Object.assign(new Readable(), {
    resume() {
      throw new TypeError('a bug')
    },
  })
  const request = { caller: { user: { id: 1 } }, body } as unknown as FastifyRequest

  await expect(listCallerDrawings(fixture() as unknown as DrawingParts, request)).rejects.toThrow('a bug')
})

describe('a seed', () => {
  test('is requested from the channel of the drawing, with its key', async () => {
    const buyer = await drawn({ mj_id: 'with/slash' })
    fixture().proxy.script.push(answering({ code: 1, result: '42', more: 1 }, 201))

    const answer = await get('/fast/mj/task/with%2Fslash/image-seed?a=b', buyer)

    expect(answer).toMatchObject({
      status: 201,
      json: { code: 1, description: '', properties: null, result: '42', more: 1 },
    })
    expect(fixture().proxy.seen.at(-1)).toMatchObject({
      path: '/fast/mj/task/with%2Fslash/image-seed?a=b',
      headers: { 'mj-api-secret': MJ_KEY },
    })
  })

  test('of a proxy with an invalid reply is an upstream error', async () => {
    const buyer = await drawn()
    fixture().proxy.script.push(answering('<html>'))
    const answer = await get(`/mj/task/${buyer.id}/image-seed`, buyer)
    expectDrawingRefusal(answer, { reason: 'unmarshal_response_body_failed', code: 5 })
  })
})

test('a notification changes nothing, from any sender', async () => {
  const { toolkit, root } = fixture()
  const buyer = await drawn({ status: 'IN_PROGRESS', progress: '50%', quota: 5 })
  const before = await rowsOf(fixture(), buyer)
  await toolkit.options.set(root, 'MjNotifyEnabled', 'true')
  const body = { id: buyer.id, status: 'FAILURE', progress: '100%', failReason: 'x', imageUrl: 'http://evil.example' }

  for (const path of ['/mj/notify', '/mj-fast/mj/notify']) {
    for (const key of [undefined, buyer.key, (await customer(fixture())).key]) {
      const answer = await call(fixture(), 'POST', path, { ...(key && { key }), body })
      expectDrawingRefusal(answer, { reason: 'notify_not_accepted' })
    }
  }

  expect(await rowsOf(fixture(), buyer)).toEqual(before)
  await toolkit.options.set(root, 'MjNotifyEnabled', 'false')
})

test('each route is described, with the terms of the drawing API', async () => {
  const { paths } = (await (await fetch(`${fixture().url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
  }
  const ours = Object.keys(paths).filter((path) => path.includes('mj/') && !path.startsWith('/api'))
  expect(ours).toHaveLength(17)
  expect(ours.every((path) => path.startsWith('/mj/'))).toBe(true)
  expect(paths['/mj/submit/imagine']?.post?.responses).toHaveProperty('4XX')
})

describe('a client in a browser', () => {
  test('may read replies and errors', async () => {
    const { url } = fixture()
    const headers = { origin: 'https://app.example' }
    for (const path of ['/mj/task/x/fetch', '/mj/image/x', '/fast/mj/image/x']) {
      const answer = await fetch(url + path, { headers })
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.status).toBeGreaterThanOrEqual(400)
      const preflight = await fetch(url + path, { method: 'OPTIONS', headers })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-headers')).toContain('mj-api-secret')
    }
  })
})
