import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { type Exchange, startUpstream } from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const INERT = { 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" }

const fixture = shared(async () => {
  const site = await startUpstream((exchange: Exchange) => answer(exchange))
  const opened = await openTestGateway({ settings: { MEDIA_ALLOW_HOSTS: new URL(site.url).host } })
  return { ...opened, site, client: await openApi(opened).as(await opened.user()), api: openApi(opened) }
})
let answer: (exchange: Exchange) => void = () => undefined
const serves = (bytes: Buffer | string, type: string, status = 200) => {
  answer = ({ response }) => {
    response.writeHead(status, { 'content-type': type })
    response.end(bytes)
  }
}

describe('POST /api/picture', () => {
  test('downloads a picture of another site for the reader, and sends the site no reader data', async () => {
    serves(PNG, 'image/png')
    const { client, site } = fixture()
    const { status, headers } = await client.post('/api/picture', { url: `${site.url}/a.png?b=1` })
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      ...INERT,
      'content-type': 'image/png',
      'cache-control': 'no-store',
      'content-length': String(PNG.length),
    })
    expect(site.seen.at(-1)).toMatchObject({ path: '/a.png?b=1' })
    const sent = JSON.stringify(site.seen.at(-1)?.headers)
    for (const header of ['cookie', 'referer', 'x-forwarded-for', 'accept-language']) expect(sent).not.toContain(header)
  })

  test.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 'image/svg+xml'],
    ['<script>alert(1)</script>', 'text/html'],
    ['<script>alert(1)</script>', 'image/png'],
    ['{}', 'application/json'],
  ])('returns no other file: %s as %s', async (bytes, type) => {
    serves(bytes, type)
    const { client, site } = fixture()
    const { headers, body } = await client.post('/api/picture', { url: `${site.url}/x` }, { 'accept-language': 'en' })
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(body).toEqual({
      success: false,
      message: 'The address of an image or file was refused: it is not a picture',
    })
  })

  test.each(['http://127.0.0.1:1/a.png', 'http://169.254.169.254/', 'file:///etc/passwd', 'http://[::1]/', 'nothing'])(
    'requests no private address: %s',
    async (url) => {
      const { body } = await fixture().client.post('/api/picture', { url })
      expect(body.success).toBe(false)
    },
  )

  test('is for signed-in users', async () => {
    const { api, site } = fixture()
    expect((await api.anonymous().post('/api/picture', { url: site.url })).status).toBe(401)
  })
})
