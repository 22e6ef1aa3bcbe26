import { beforeEach, describe, expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { openDrawingGateway } from '../support/drawing-gateway.ts'
import { type Customer, customer } from '../support/gateway.ts'
import type { Exchange } from '../support/hand-made-upstream.ts'
import { shared } from '../support/lifetime.ts'
import { rawRequest } from '../support/raw-request.ts'
import { drawing } from '../support/task-rows.ts'
import { type DatabaseKind, skipWithoutPostgres } from '../support/toolkit.ts'

const PNG = '\x89PNG\r\n\x1a\n'
const INERT = { 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" }
const NOTHING = { status: 400, text: '{"error":"midjourney_task_not_found"}' }

for (const database of ['sqlite', 'postgres'] as const) {
  describe(`the picture of a drawing, on ${database}`, () => {
    if (database === 'postgres') beforeEach(skipWithoutPostgres)
    pictureTests(database)
  })
}

function pictureTests(database: DatabaseKind) {
  const fixture = shared(async () => {
    const opened = await openDrawingGateway({ database })
    return { ...opened, ann: await customer(opened), bob: await customer(opened), api: openApi(opened) }
  })

  let count = 0
  async function drawn({ person }: Pick<Customer, 'person'>, row: Record<string, unknown> = {}): Promise<string> {
    const mj_id = `drawn-${++count}`
    const { toolkit, servedBy, proxy } = fixture()
    const image_url = `${proxy.url}/${person.username}.png`
    const kept = { user_id: person.id, channel_id: servedBy.id, mj_id, image_url, status: 'SUCCESS', ...row }
    await drawing(toolkit, kept)
    return mj_id
  }

  function serves(bytes: string, type = 'image/png') {
    fixture().proxy.script.push(({ response }: Exchange) => {
      response.writeHead(200, { 'content-type': type })
      response.end(Buffer.from(bytes, 'latin1'))
    })
  }

  const ask = (path: string, headers: Record<string, string> = {}) => rawRequest(fixture().url + path, { headers })
  const cookieOf = async ({ person }: Customer) => (await fixture().api.as(person)).cookie()
  const linkOf = async ({ key }: Customer, id: string) => {
    const { text } = await ask(`/mj/task/${id}/fetch`, { authorization: `Bearer ${key}` })
    const { pathname, search } = new URL(JSON.parse(text).imageUrl)
    return pathname + search
  }

  test('is not accessible by guessing its id', async () => {
    const id = await drawn(fixture().ann)
    const requestCount = fixture().proxy.seen.length
    for (const query of ['', '?signature=', `?signature=${'0'.repeat(32)}`, '?signature=a&signature=b', '?rand=1']) {
      const answer = await ask(`/mj/image/${id}${query}`)
      expect(answer.status).toBe(400)
      expect(answer.text).not.toContain('PNG')
    }
    expect(await ask(`/fast/mj/image/${id}`)).toMatchObject(NOTHING)
    expect(fixture().proxy.seen).toHaveLength(requestCount)
  })

  test('is not accessible to other users, by key or session', async () => {
    const { ann, bob } = fixture()
    const id = await drawn(ann)
    expect(await ask(`/mj/image/${id}`, { authorization: `Bearer ${bob.key}` })).toMatchObject(NOTHING)
    expect(await ask(`/mj/image/${id}`, { cookie: await cookieOf(bob) })).toMatchObject(NOTHING)
    expect((await ask(`/mj/image/${id}`, { 'mj-api-secret': 'sk-wrong' })).status).toBe(401)
  })

  test('is accessible to its owner, by key or session, and is inert', async () => {
    const { ann } = fixture()
    const id = await drawn(ann)
    for (const headers of [{ 'mj-api-secret': ann.key }, { cookie: await cookieOf(ann) }]) {
      serves(PNG)
      expect(await ask(`/mj/image/${id}`, headers)).toMatchObject({
        status: 200,
        headers: { ...INERT, 'content-type': 'image/png', 'cache-control': 'private, max-age=86400' },
      })
    }
  })

  test('is not accessible to a disabled owner', async () => {
    const { ann, toolkit, root } = fixture()
    const gone = await customer(fixture())
    const [id, link] = [await drawn(gone), await drawn(ann)]
    const cookie = await cookieOf(gone)
    await toolkit.accounts.manage(root, gone.person.id, 'disable')
    for (const path of [id, link]) expect(await ask(`/mj/image/${path}`, { cookie })).toMatchObject(NOTHING)
  })

  test('is accessible by a link given to its owner, which opens no other', async () => {
    const { ann, bob } = fixture()
    const [id, other] = [await drawn(ann), await drawn(ann)]
    const link = await linkOf(ann, id)
    expect(link).toMatch(new RegExp(`^/mj/image/${id}\\?signature=[0-9a-f]{32}$`))
    serves(PNG)
    expect(await ask(link, { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' })).toMatchObject({
      status: 200,
      headers: INERT,
    })
    expect(await ask(link.replace(id, other))).toMatchObject(NOTHING)

    // The upstream of another user has the same name for another drawing.
    await drawn(bob, { mj_id: id })
    serves(PNG)
    expect((await ask(link)).status).toBe(200)
    expect(fixture().proxy.seen.at(-1)?.path).toBe(`/${ann.person.username}.png`)
    serves(PNG)
    expect((await ask(`/mj/image/${id}`, { 'mj-api-secret': bob.key })).status).toBe(200)
    expect(fixture().proxy.seen.at(-1)?.path).toBe(`/${bob.person.username}.png`)
    expect(await linkOf(bob, id)).not.toBe(link)
  })

  test('is linked in console lists with the same permission', async () => {
    const { ann, api } = fixture()
    const id = await drawn(ann)
    const { body } = await (await api.as(ann.person)).get('/api/mj/self')
    const listed = body.data.find((row: { mj_id: string }) => row.mj_id === id)
    expect(new URL(listed.image_url).pathname + new URL(listed.image_url).search).toBe(await linkOf(ann, id))
  })

  test.each([
    ['<html><script>alert(1)</script>', 'text/html'],
    ['<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'],
    ['<html><script>alert(1)</script>', 'image/png, text/html'],
    ['GIF89a<script>', 'text/html'],
  ])('that is a document does not run: %s as %s', async (bytes, type) => {
    const { ann } = fixture()
    const id = await drawn(ann)
    serves(bytes, type)
    const { status, headers } = await ask(`/mj/image/${id}`, { 'mj-api-secret': ann.key })
    expect({ status, headers }).toMatchObject({ status: 200, headers: INERT })
    if (!bytes.startsWith('GIF'))
      expect(headers).toMatchObject({ 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' })
    else expect(headers['content-type']).toBe('image/gif')
  })
}
