import { describe, expect, test } from 'vitest'
import { testChannel } from '../../../../../server/relay/channel-test.ts'
import {
  call,
  dollars,
  drawingChannel,
  expectDrawingRefusal,
  MJ_KEY,
  openDrawingGateway,
  pollOnce,
  rowsOf,
  spent,
} from '../../../../support/drawing-gateway.ts'
import { BALANCE, type Customer, customer } from '../../../../support/gateway.ts'
import { shared } from '../../../../support/lifetime.ts'
import { accepted, answering, startMidjourneyProxy } from '../../../../support/midjourney-proxy.ts'
import { startHttpProxy } from '../../../../support/proxies.ts'

/** Adds a second channel with a higher price and its own proxy. */
const fixture = shared(async () => {
  const opened = await openDrawingGateway()
  const other = await startMidjourneyProxy('other')
  const second = await drawingChannel({ ...opened, proxy: other }, { key: 'other-secret-123456', priority: -5 })
  return { ...opened, other, second }
})

const submit = (buyer: Customer, path: string, body: unknown) =>
  call(fixture(), 'POST', `/mj/${path}`, { key: buyer.key, body })
const costs = async (buyer: Customer) => (await spent(fixture(), buyer, { balance: BALANCE })).balance
const UUID = '5f1c2a9e-8a1b-4f7e-9b7a-2f4f0a6f5c11'

/** A customer with a drawing on the second channel. */
async function drawer(row: Record<string, unknown> = {}) {
  const { toolkit, second } = fixture()
  const buyer = await customer(fixture())
  const mj_id = `origin-${buyer.person.id}`
  const origin = {
    user_id: buyer.person.id,
    channel_id: second.id,
    mj_id,
    action: 'IMAGINE',
    prompt: 'a cat on a mat',
    status: 'SUCCESS',
    progress: '100%',
    ...row,
  }
  await toolkit.db.transaction((trx) => trx('midjourneys').insert(origin))
  return { ...buyer, taskId: mj_id }
}

describe('a follow-up', () => {
  test.each([
    ['submit/change', { action: 'UPSCALE', index: 2 }, 'UPSCALE', 0.05],
    ['submit/change', { action: 'VARIATION', index: 2 }, 'VARIATION', 0.1],
    ['submit/change', { action: 'REROLL' }, 'REROLL', 0.1],
    ['submit/action', { customId: `MJ::JOB::upsample::2::${UUID}` }, 'UPSCALE', 0.05],
    ['submit/action', { customId: `MJ::JOB::variation::2::${UUID}` }, 'VARIATION', 0.1],
    ['submit/action', { customId: `MJ::JOB::low_variation::1::${UUID}::SOLO` }, 'LOW_VARIATION', 0.1],
    ['submit/action', { customId: `MJ::JOB::high_variation::1::${UUID}::SOLO` }, 'HIGH_VARIATION', 0.1],
    ['submit/action', { customId: `MJ::JOB::reroll::0::${UUID}::SOLO` }, 'REROLL', 0.1],
    ['submit/action', { customId: `MJ::JOB::pan_up::1::${UUID}::SOLO` }, 'PAN', 0.1],
    ['submit/action', { customId: `MJ::Outpaint::50::1::${UUID}::SOLO` }, 'ZOOM', 0.1],
    ['submit/action', { customId: `MJ::CustomZoom::${UUID}` }, 'CUSTOM_ZOOM', 0],
    ['submit/action', { customId: `MJ::Inpaint::1::${UUID}::SOLO` }, 'INPAINT', 0],
    ['submit/modal', { prompt: 'another' }, 'MODAL', 0.1],
    ['submit/video', { prompt: 'it moves' }, 'VIDEO', 0.8],
  ])('%s of %j uses the channel and key of its origin, as %s for %d dollars', async (path, content, action, price) => {
    const { other, second } = fixture()
    const buyer = await drawer()

    const answer = await submit(buyer, path, { taskId: buyer.taskId, ...content })

    expect(answer).toMatchObject({ status: 200, json: { code: 1, result: expect.stringMatching(/^other-/) } })
    expect(other.seen.at(-1)).toMatchObject({
      path: `/mj/${path}`,
      headers: { 'mj-api-secret': 'other-secret-123456' },
      body: { taskId: buyer.taskId, ...content },
    })
    expect(await costs(buyer)).toBe(dollars(price))
    expect((await rowsOf(fixture(), buyer)).at(-1)).toMatchObject({
      action,
      prompt: 'a cat on a mat',
      channel_id: second.id,
      quota: dollars(price),
      custom_id: 'customId' in content ? content.customId : '',
    })
  })

  test('in simple form is parsed, and forwarded unchanged', async () => {
    const buyer = await drawer()
    const content = `${buyer.taskId} u3`

    expect((await submit(buyer, 'submit/simple-change', { content })).status).toBe(200)

    expect(fixture().other.seen.at(-1)).toMatchObject({ path: '/mj/submit/simple-change', body: { content } })
    expect((await rowsOf(fixture(), buyer)).at(-1)).toMatchObject({ action: 'UPSCALE', quota: dollars(0.05) })
  })

  test('that opens a window keeps code 21, and the following modal pays', async () => {
    const buyer = await drawer()
    const window = accepted('window-1', { code: 21, properties: { status: 'MODAL' } })
    fixture().other.script.push(answering(window), answering(accepted('window-1')))

    const opened = await submit(buyer, 'submit/action', { taskId: buyer.taskId, customId: `MJ::CustomZoom::${UUID}` })
    expect(opened.json).toEqual(window)
    expect(await costs(buyer)).toBe(0)
    // The window itself is not finished, and its modal is let through all the same.
    const modal = await submit(buyer, 'submit/modal', { taskId: 'window-1', prompt: 'wider' })

    expect(modal.json).toMatchObject({ code: 1, result: 'window-1' })
    expect(await costs(buyer)).toBe(dollars(0.1))
    expect((await rowsOf(fixture(), buyer)).slice(1)).toMatchObject([
      { action: 'CUSTOM_ZOOM', mj_id: 'window-1', quota: 0, code: 21, status: 'MODAL' },
      { action: 'MODAL', mj_id: 'window-1', quota: dollars(0.1), status: '' },
    ])
  })

  test('that opens a window is free, also with an empty balance', async () => {
    const buyer = await drawer()
    const poor = await customer(fixture(), { user: { quota: 0 } })
    await fixture().toolkit.db.transaction((trx) =>
      trx('midjourneys').where({ mj_id: buyer.taskId }).update({ user_id: poor.person.id }),
    )
    const body = { taskId: buyer.taskId, customId: `MJ::Inpaint::1::${UUID}::SOLO` }
    expect((await submit(poor, 'submit/action', body)).status).toBe(200)
  })

  test('that is rejected does not hide the original task', async () => {
    const buyer = await drawer()
    fixture().other.script.push(answering({ code: 4, description: 'no', result: buyer.taskId }))

    await submit(buyer, 'submit/change', { taskId: buyer.taskId, action: 'UPSCALE', index: 1 })

    const { json } = await call(fixture(), 'GET', `/mj/task/${buyer.taskId}/fetch`, { key: buyer.key })
    expect(json).toMatchObject({ action: 'IMAGINE', status: 'SUCCESS' })
  })

  test('of another user’s drawing is rejected like one of an unknown drawing', async () => {
    const { taskId } = await drawer()
    const stranger = await customer(fixture())
    for (const id of [taskId, 'unknown']) {
      const answer = await submit(stranger, 'submit/change', { taskId: id, action: 'UPSCALE', index: 1 })
      expectDrawingRefusal(answer, { reason: 'task_not_found' })
    }
    expect(await costs(stranger)).toBe(0)
  })

  test('of an unfinished drawing is rejected, unless the operator allows it or it is a modal', async () => {
    const { toolkit, root } = fixture()
    const buyer = await drawer({ status: 'IN_PROGRESS', progress: '50%' })
    const change = () => submit(buyer, 'submit/change', { taskId: buyer.taskId, action: 'UPSCALE', index: 1 })

    expectDrawingRefusal(await change(), { reason: 'task_status_not_success' })
    expect((await submit(buyer, 'submit/modal', { taskId: buyer.taskId })).status).toBe(200)
    await toolkit.options.set(root, 'MjActionCheckSuccessEnabled', 'false')
    expect((await change()).status).toBe(200)
    await toolkit.options.set(root, 'MjActionCheckSuccessEnabled', 'true')
  })

  test('to a disabled or deleted channel, or one without a proxy address, is rejected', async () => {
    const { toolkit, root } = fixture()
    const channel = await drawingChannel(fixture(), { priority: -9 })
    const buyer = await drawer({ channel_id: channel.id })
    const change = () => submit(buyer, 'submit/change', { taskId: buyer.taskId, action: 'UPSCALE', index: 1 })

    await toolkit.channels.update(root, channel.id, { status: 2 })
    expectDrawingRefusal(await change(), { reason: '该任务所属渠道已被禁用' })
    await toolkit.channels.delete(root, channel.id)
    expectDrawingRefusal(await change(), { reason: 'get_channel_info_failed' })
    expect(await costs(buyer)).toBe(0)
  })

  test('fails if its channel is deleted and no other serves the action', async () => {
    const { toolkit, root } = fixture()
    const channel = await drawingChannel(fixture(), { group: 'vip' })
    const buyer = await drawer({ channel_id: channel.id })
    await toolkit.db.transaction((trx) => trx('users').where({ id: buyer.person.id }).update({ group: 'vip' }))
    await toolkit.channels.delete(root, channel.id)

    const answer = await submit(buyer, 'submit/change', { taskId: buyer.taskId, action: 'UPSCALE', index: 1 })

    expectDrawingRefusal(answer, { reason: 'get_channel_info_failed' })
  })

  test.each([[['origin']], [{ id: 'origin' }], [true]])('of the invalid id %j is rejected', async (taskId) => {
    const buyer = await drawer()
    const answer = await submit(buyer, 'submit/change', { taskId, action: 'UPSCALE', index: 1 })
    expectDrawingRefusal(answer, { reason: 'bind_request_body_failed' })
    expect(await costs(buyer)).toBe(0)
  })

  test('without a task uses a channel of the group', async () => {
    const buyer = await drawer()
    expect((await submit(buyer, 'submit/change', { action: 'REROLL' })).status).toBe(200)
    expect(fixture().proxy.seen.at(-1)).toMatchObject({
      path: '/mj/submit/change',
      headers: { 'mj-api-secret': MJ_KEY },
    })
  })
})

describe('any channel that lists the action', () => {
  test('serves it, with any type, if it has a base URL', async () => {
    const { toolkit, root, servedBy, second, other } = fixture()
    const buyer = await customer(fixture())
    for (const { id } of [servedBy, second]) await toolkit.channels.update(root, id, { status: 2 })
    const plain = await drawingChannel(fixture(), { type: 1, base_url: '', models: 'mj_imagine' })

    expectDrawingRefusal(await submit(buyer, 'submit/imagine', { prompt: 'x' }), { reason: 'get_channel_info_failed' })
    await toolkit.channels.update(root, plain.id, { base_url: other.url })
    expect((await submit(buyer, 'submit/imagine', { prompt: 'x' })).status).toBe(200)
    expectDrawingRefusal(await submit(buyer, 'submit/blend', {}), { reason: 'no_available_channel', status: 503 })

    for (const { id } of [servedBy, second]) await toolkit.channels.update(root, id, { status: 1 })
    await toolkit.channels.delete(root, plain.id)
  })

  test('is skipped while it is unreachable, as often as retries allow', async () => {
    const { toolkit, root } = fixture()
    const buyer = await customer(fixture())
    const gone = await drawingChannel(fixture(), { base_url: 'http://127.0.0.1:9', priority: 9 })

    expectDrawingRefusal(await submit(buyer, 'submit/imagine', { prompt: 'x' }), {
      reason: 'do_request_failed',
      code: 5,
    })
    expect(await costs(buyer)).toBe(0)
    await toolkit.options.set(root, 'RetryTimes', '1')
    expect((await submit(buyer, 'submit/imagine', { prompt: 'x' })).status).toBe(200)
    expect(await costs(buyer)).toBe(dollars(0.1))

    await toolkit.options.set(root, 'RetryTimes', '0')
    await toolkit.channels.delete(root, gone.id)
  })
})

test('a channel’s proxy is used for everything: submissions, polls, seeds and pictures', async () => {
  const { toolkit, root, other } = fixture()
  const tunnel = await startHttpProxy()
  const setting = JSON.stringify({ proxy: tunnel.url })
  const channel = await drawingChannel({ ...fixture(), proxy: other }, { priority: 9, setting })
  const buyer = await customer(fixture())
  const { host } = new URL(other.url)

  const { json } = await submit(buyer, 'submit/imagine', { prompt: 'x' })
  other.report(json.result, { status: 'SUCCESS', progress: '100%', imageUrl: `${other.url}/1.png` })
  await pollOnce(fixture())
  await call(fixture(), 'GET', `/mj/task/${json.result}/image-seed`, { key: buyer.key })
  expect(new Set(tunnel.requests)).toEqual(new Set([host]))
  const before = tunnel.requests.length
  await call(fixture(), 'GET', `/mj/image/${json.result}`, { key: buyer.key })

  expect(tunnel.requests.slice(before)).toEqual([host])
  const direct = other.seen.filter(({ path }) => path === '/1.png')
  expect(direct).toHaveLength(1)
  await toolkit.channels.delete(root, channel.id)
})

test('a channel for drawings only cannot be tested, nor used for a conversation', async () => {
  const { url, toolkit, root, servedBy } = fixture()
  const { key } = await customer(fixture())
  await expect(testChannel(toolkit, root, servedBy.id)).rejects.toMatchObject({ code: 'CHANNEL_TEST_UNSUPPORTED' })
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mj_imagine', messages: [{ role: 'user', content: 'x' }] }),
  })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain('no channel serves chat')
})
