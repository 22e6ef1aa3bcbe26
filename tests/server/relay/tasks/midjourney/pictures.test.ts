import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { PictureDownloads } from '../../../../../server/relay/tasks/midjourney/picture-downloads.ts'
import { drawingChannel, openDrawingGateway } from '../../../../support/drawing-gateway.ts'
import { type Exchange, startUpstream } from '../../../../support/hand-made-upstream.ts'
import { shared } from '../../../../support/lifetime.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** With two hosts of pictures: the channel's own, and one on another port of this machine, which is a private place. */
const fixture = shared(async () => {
  const opened = await openDrawingGateway()
  const elsewhere = await startUpstream(({ response }) => void response.end(PNG))
  return { ...opened, elsewhere }
})

let count = 0
/** A drawing whose picture is there; answers the id. */
async function pictured(image_url: string, row: Record<string, unknown> = {}): Promise<string> {
  const { toolkit, servedBy } = fixture()
  const mj_id = `picture-${++count}`
  const drawing = { user_id: 1, channel_id: servedBy.id, mj_id, image_url, status: 'SUCCESS', ...row }
  await toolkit.db.transaction((trx) => trx('midjourneys').insert(drawing))
  return mj_id
}

/** The signed link of a drawing of user 1. */
function linkTo(mj_id: string): string {
  const { pathname, search } = new URL(fixture().toolkit.pictureLinks.addressOf({ user_id: 1, mj_id, image_url: 'x' }))
  return pathname + search
}

async function picture(
  id: string,
  prefix = '',
): Promise<{ status: number; headers: Headers; bytes: Buffer; text: string }> {
  const answer = await fetch(`${fixture().url}${prefix}${linkTo(id)}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString() }
}

const serve =
  (bytes: Buffer | string, type: string, status = 200, headers: Record<string, string> = {}) =>
  ({ response }: Exchange) => {
    response.writeHead(status, { 'content-type': type, ...headers })
    response.end(bytes)
  }

describe('if a host does not respond', () => {
  test('a limited number of its pictures wait, while others are served; a disconnected client is not awaited', async () => {
    const { url, proxy } = fixture()
    const hanging = await startUpstream(() => undefined)
    const channel = await drawingChannel(fixture(), { base_url: hanging.url })
    const held = (name: string) => pictured(`${hanging.url}/${name}`, { channel_id: channel.id })
    const ids = await Promise.all(Array.from({ length: 20 }, (_, at) => held(String(at))))
    const sound = await pictured(`${proxy.url}/sound.png`)
    const clients = new AbortController()
    const ask = (id: string) => fetch(url + linkTo(id), { signal: clients.signal })

    const waiting = Array.from({ length: 64 }, (_, at) => ask(ids[at % ids.length] as string))
    const more = await held('more')
    // It waits itself until all sixty-four do.
    const refused = async () => {
      const answer = await fetch(url + linkTo(more), { signal: AbortSignal.timeout(100) }).catch(() => undefined)
      return answer && [answer.status, answer.headers.get('retry-after')]
    }
    await expect.poll(refused).toEqual([503, '5'])
    proxy.script.push(serve(PNG, 'image/png'))
    expect((await picture(sound)).status).toBe(200)
    // Each was asked for by three or four, and four of twenty at once.
    expect(hanging.seen).toHaveLength(4)

    clients.abort()
    expect((await Promise.allSettled(waiting)).every(({ status }) => status === 'rejected')).toBe(true)
    await expect.poll(() => hanging.seen.every(({ whole }) => whole === false)).toBe(true)
  })

  test('one picture requested by many is downloaded once, for all of them, and aborted after all disconnect', async () => {
    const downloads = new PictureDownloads()
    const clients = Array.from({ length: 5 }, () => new EventEmitter())
    const loads: { signal: AbortSignal; answer: () => void }[] = []
    const load = (signal: AbortSignal) =>
      new Promise<{ data: Buffer; mime: string }>((resolve) => {
        loads.push({ signal, answer: () => resolve({ data: PNG, mime: 'image/png' }) })
      })
    const ask = () => clients.map((leaving) => downloads.get({ key: 'a', host: 'x', leaving }, load))

    const all = ask()
    loads[0]?.answer()
    expect(new Set(await Promise.all(all)).size).toBe(1)
    const again = Promise.allSettled(ask())
    for (const client of clients) client.emit('abort')

    expect((await again).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'))
    expect(loads.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })
})

describe('a picture', () => {
  test('is served by a signed link without a key, and cached by browsers after its drawing is done', async () => {
    const { proxy } = fixture()
    const id = await pictured(`${proxy.url}/attachments/1.png?ex=1`)
    proxy.script.push(serve(PNG, 'image/png'))

    const answer = await picture(id)

    expect(answer.status).toBe(200)
    expect(answer.bytes).toEqual(PNG)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=86400',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect(proxy.seen.at(-1)).toMatchObject({ path: '/attachments/1.png?ex=1' })
    expect(proxy.seen.at(-1)?.headers['mj-api-secret']).toBeUndefined()
  })

  test('of an unfinished drawing is not cached, with or without a mode', async () => {
    const { proxy } = fixture()
    const id = await pictured(`${proxy.url}/1.png`, { status: 'IN_PROGRESS' })
    proxy.script.push(serve(PNG, 'image/png'))
    const answer = await picture(id, '/fast')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  test('of several drawings with one id is the newest', async () => {
    const { proxy } = fixture()
    const id = await pictured(`${proxy.url}/old.png`)
    await pictured(`${proxy.url}/new.png`, { mj_id: id })
    await pictured('', { mj_id: id })
    proxy.script.push(serve(PNG, 'image/png'))
    await picture(id)
    expect(proxy.seen.at(-1)?.path).toBe('/new.png')
  })

  test.each([
    ['a page', '<html><script>alert(1)</script>', 'text/html'],
    ['a drawing that can run', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'],
    ['a page that claims to be a picture', '<html><script>alert(1)</script>', 'image/png'],
    ['a program', 'alert(1)', 'text/javascript'],
  ])('that is %s is only bytes to a browser', async (_, bytes, type) => {
    const { proxy } = fixture()
    const id = await pictured(`${proxy.url}/x`)
    proxy.script.push(serve(bytes, type))
    const answer = await picture(id)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('x-content-type-options')]).toEqual([
      200,
      'application/octet-stream',
      'nosniff',
    ])
  })

  test('that does not exist is 400', async () => {
    for (const id of ['unknown', await pictured(''), '\0']) {
      const answer = await picture(id)
      expect([answer.status, answer.text]).toEqual([400, '{"error":"midjourney_task_not_found"}'])
    }
  })

  test('missing at its host has the host’s status, without the host’s message', async () => {
    const { proxy } = fixture()
    const id = await pictured(`${proxy.url}/x`)
    proxy.script.push(serve(`see ${proxy.url}/secret`, 'text/plain', 404))
    const answer = await picture(id)
    expect([answer.status, answer.text]).toEqual([404, '{"error":"the upstream answered with status 404"}'])
  })

  test.each([
    ['in a private network', () => `${fixture().elsewhere.url}/x`],
    ['at the cloud’s own address', () => 'http://169.254.169.254/latest/meta-data'],
    ['in a file', () => 'file:///etc/passwd'],
    ['nowhere', () => 'no address'],
  ])('%s is not downloaded', async (_, address) => {
    const answer = await picture(await pictured(address()))
    expect([answer.status, answer.text]).toEqual([500, '{"error":"http_get_image_failed"}'])
    expect(fixture().elsewhere.seen).toEqual([])
  })

  test('redirected from the channel’s host to a private address is not followed', async () => {
    const { proxy, elsewhere } = fixture()
    const id = await pictured(`${proxy.url}/x`)
    proxy.script.push(serve('', 'text/plain', 302, { location: `${elsewhere.url}/x` }))
    expect((await picture(id)).status).toBe(500)
    expect(elsewhere.seen).toEqual([])
  })

  test('of a deleted channel is downloaded only from public addresses', async () => {
    const { proxy } = fixture()
    const before = proxy.seen.length
    expect((await picture(await pictured(`${proxy.url}/x`, { channel_id: 999 }))).status).toBe(500)
    expect(proxy.seen).toHaveLength(before)
  })

  test('that is too large is not served', async () => {
    const { proxy } = fixture()
    const id = await pictured(`${proxy.url}/x`)
    proxy.script.push(serve(PNG, 'image/png', 200, { 'content-length': String(2 ** 40) }))
    expect((await picture(id)).status).toBe(500)
  })
})
