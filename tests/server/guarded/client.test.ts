import { EventEmitter } from 'node:events'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { parseAllowedHost } from '../../../core/allowed-hosts.ts'
import { createGuardedClient, type GuardedOptions } from '../../../server/guarded/client.ts'
import { type Exchange, type HandMadeUpstream, startUpstream } from '../../support/hand-made-upstream.ts'
import { startHttpProxy, startSocksProxy } from '../../support/proxies.ts'

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 1)])
const MEGABYTE = 1024 * 1024

/** A client that may reach `files.test`, which is the given upstream. */
function clientFor(upstream: HandMadeUpstream | undefined, options: Partial<GuardedOptions> = {}) {
  const { port = '80' } = upstream ? new URL(upstream.url) : {}
  const allowHosts = [`files.test:${port}`].flatMap((text) => parseAllowedHost(text) ?? [])
  const client = createGuardedClient({
    allowHosts,
    bytesMax: MEGABYTE,
    lookup: async (host) => [{ address: host === 'files.test' ? '127.0.0.1' : host, family: 4 }],
    ...options,
  })
  return { client, url: (path: string) => `http://files.test:${port}${path}` }
}

const send = ({ response }: Exchange, body: Buffer, headers: Record<string, string> = {}) => {
  response.writeHead(200, headers)
  response.end(body)
}

describe('is rejected without a connection:', () => {
  test.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://localhost./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://0/',
    'http://①②⑦.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fd00::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.5:8080/',
    'http://192.168.0.1/',
    'https://user:secret@example.com/a.png',
    'http://8.8.8.8:22/',
    'ftp://8.8.8.8/a.png',
    'file:///etc/passwd',
    'gopher://8.8.8.8/',
    'data:text/plain,a',
    'not an address',
    '',
  ])('%s', async (url) => {
    const client = createGuardedClient({ allowHosts: [], bytesMax: MEGABYTE })
    await expect(client.fetch(url)).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
  })

  test('a name that resolves to a private address, which the error does not contain', async () => {
    const { client } = clientFor(undefined, { lookup: async () => [{ address: '10.9.8.7', family: 4 }] })
    const refusal = await client.fetch('https://pictures.example/a.png').catch((error: Error) => error)

    expect(refusal).toMatchObject({ code: 'MEDIA_REFUSED' })
    expect(JSON.stringify(refusal)).not.toContain('10.9.8.7')
  })

  test('a name with a public and a private address', async () => {
    const addresses = [
      { address: '8.8.8.8', family: 4 },
      { address: '::1', family: 6 },
    ]
    const { client } = clientFor(undefined, { lookup: async () => addresses })
    await expect(client.fetch('https://pictures.example/a.png')).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
  })

  test('an unknown host name', async () => {
    const { client } = clientFor(undefined, { lookup: () => Promise.reject(new Error('ENOTFOUND 10.0.0.53')) })
    const failure = await client.fetch('https://pictures.example/a.png').catch((error: Error) => error)

    expect(failure).toMatchObject({ code: 'MEDIA_UNAVAILABLE', params: { reason: 'its host is not known' } })
  })
})

test('a host allowed by the operator is requested, and the bytes determine the type', async () => {
  const upstream = await startUpstream((exchange) => send(exchange, PNG, { 'content-type': 'image/jpg' }))
  const { client, url } = clientFor(upstream)

  expect(await client.fetch(url('/a.png?size=2#part'))).toEqual({ data: PNG, mime: 'image/png' })
  expect(upstream.seen.map(({ path }) => path)).toEqual(['/a.png?size=2'])
  expect(upstream.seen[0]?.headers.host).toBe(`files.test:${new URL(upstream.url).port}`)
})

test('a range allowed by the operator is requested on any port', async () => {
  const upstream = await startUpstream((exchange) => send(exchange, PNG))
  const allowHosts = [parseAllowedHost('127.0.0.0/8') ?? expect.fail('no range')]

  const { data } = await createGuardedClient({ allowHosts, bytesMax: MEGABYTE }).fetch(`${upstream.url}/a.png`)

  expect(data).toEqual(PNG)
})

test('a host is resolved once: later results are ignored', async () => {
  const upstream = await startUpstream((exchange) => send(exchange, PNG))
  const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.3']
  const { client, url } = clientFor(upstream, {
    lookup: async () => [{ address: answers.shift() ?? '127.0.0.9', family: 4 }],
  })

  await client.fetch(url('/'))

  expect(answers).toEqual(['127.0.0.2', '127.0.0.3'])
  expect(upstream.seen[0]?.response.req.socket.localAddress).toBe('127.0.0.1')
})

test('a host that is public and then private after a redirect is rejected', async () => {
  const upstream = await startUpstream(({ response }) => response.writeHead(302, { location: '/next' }).end())
  const { port } = new URL(upstream.url)
  const answers = ['8.8.8.8', '127.0.0.1']
  const proxy = await startHttpProxy({ route: () => ({ host: '127.0.0.1', port: Number(port) }) })
  const { client } = clientFor(undefined, {
    lookup: async () => [{ address: answers.shift() ?? '', family: 4 }],
  })

  await expect(client.fetch('http://pictures.example/a.png', { proxy: proxy.url })).rejects.toMatchObject({
    code: 'MEDIA_REFUSED',
  })
  expect(upstream.seen).toHaveLength(1)
  expect(proxy.requests).toEqual(['8.8.8.8:80'])
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('with status %i is followed', async (status) => {
    const upstream = await startUpstream((exchange) =>
      exchange.path === '/a' ? exchange.response.writeHead(status, { location: '/b' }).end() : send(exchange, PNG),
    )
    const { client, url } = clientFor(upstream)

    expect((await client.fetch(url('/a'))).mime).toBe('image/png')
    expect(upstream.seen.map(({ path }) => path)).toEqual(['/a', '/b'])
  })

  test.each([
    'http://127.0.0.1/',
    'http://169.254.169.254/latest',
    'http://[::1]/',
    'file:///etc/passwd',
    '//10.0.0.1/',
    'http://a:b@8.8.8.8/',
  ])('to %s is rejected', async (location) => {
    const upstream = await startUpstream(({ response }) => response.writeHead(302, { location }).end())
    const { client, url } = clientFor(upstream)

    await expect(client.fetch(url('/a'))).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
    expect(upstream.seen).toHaveLength(1)
  })

  test('is followed at most three times', async () => {
    const upstream = await startUpstream(({ response }) => response.writeHead(302, { location: '/more' }).end())
    const { client, url } = clientFor(upstream)

    await expect(client.fetch(url('/a'))).rejects.toMatchObject({ code: 'MEDIA_UNAVAILABLE' })
    expect(upstream.seen).toHaveLength(4)
  })
})

describe('too large downloads are rejected:', () => {
  const tooLarge = { code: 'MEDIA_UNAVAILABLE', params: { reason: 'it is larger than 1 MB' } }

  test('a declared length', async () => {
    const upstream = await startUpstream(({ response }) => {
      response.writeHead(200, { 'content-length': String(2 * MEGABYTE) })
      response.write('a')
    })
    const { client, url } = clientFor(upstream)
    await expect(client.fetch(url('/'))).rejects.toMatchObject(tooLarge)
  })

  test('an endless body without a length', async () => {
    const upstream = await startUpstream(({ response }) => {
      const more = (error?: Error | null) =>
        !error && !response.destroyed && response.write(Buffer.alloc(64 * 1024), more)
      more()
    })
    const { client, url } = clientFor(upstream)
    await expect(client.fetch(url('/'))).rejects.toMatchObject(tooLarge)
    await expect.poll(() => upstream.seen[0]?.whole).toBe(false)
  })

  test('a small compressed body that expands to a large one', async () => {
    const upstream = await startUpstream((exchange) =>
      send(exchange, gzipSync(Buffer.alloc(64 * MEGABYTE)), { 'content-encoding': 'gzip' }),
    )
    const { client, url } = clientFor(upstream)
    await expect(client.fetch(url('/'))).rejects.toMatchObject(tooLarge)
  })

  test('a download of the maximum size is accepted', async () => {
    const upstream = await startUpstream((exchange) => send(exchange, Buffer.alloc(MEGABYTE, 'a')))
    const { client, url } = clientFor(upstream)
    expect((await client.fetch(url('/'))).data).toHaveLength(MEGABYTE)
  })
})

test('a compressed body is decompressed', async () => {
  const upstream = await startUpstream((exchange) => send(exchange, gzipSync(PNG), { 'content-encoding': 'gzip' }))
  const { client, url } = clientFor(upstream)
  expect((await client.fetch(url('/'))).data).toEqual(PNG)
})

test.each([
  ['a status', (exchange: Exchange) => exchange.response.writeHead(404).end(), 'its host answered with status 404'],
  ['no body', (exchange: Exchange) => exchange.response.end(), 'it is empty'],
  ['a cut', (exchange: Exchange) => exchange.response.destroy(), 'its host does not answer'],
  [
    'half of what its length says',
    ({ response }: Exchange) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.destroy())
    },
    'its host does not answer',
  ],
  [
    'an unknown encoding',
    (exchange: Exchange) => send(exchange, PNG, { 'content-encoding': 'zzz' }),
    'its content encoding is not supported',
  ],
  [
    'an encoding called like a part of every object',
    (exchange: Exchange) => send(exchange, PNG, { 'content-encoding': 'constructor' }),
    'its content encoding is not supported',
  ],
  [
    'a packed body that is cut',
    ({ response }: Exchange) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '1000' })
      response.write(gzipSync(PNG).subarray(0, 20), () => response.destroy())
    },
    'its host does not answer',
  ],
])('%s as a reply is an error with that status', async (_, answer, reason) => {
  const upstream = await startUpstream(answer)
  const { client, url } = clientFor(upstream)
  await expect(client.fetch(url('/'))).rejects.toMatchObject({ code: 'MEDIA_UNAVAILABLE', params: { reason } })
})

test('a silent host times out', async () => {
  const upstream = await startUpstream(() => undefined)
  const { client, url } = clientFor(upstream, { timeoutMs: 200 })

  await expect(client.fetch(url('/'))).rejects.toMatchObject({ params: { reason: 'it took too long' } })
  await expect.poll(() => upstream.seen.every(({ whole }) => whole === false)).toBe(true)
})

test('a host that sends no headers times out sooner than one that has started', async () => {
  const upstream = await startUpstream(({ path, response }) => {
    if (path === '/silent') return
    response.flushHeaders()
    setTimeout(() => response.end(PNG), 300)
  })
  const { client, url } = clientFor(upstream)

  const [silent, slow] = await Promise.allSettled(
    ['/silent', '/slow'].map((path) => client.fetch(url(path), { firstByteMs: 200 })),
  )

  expect(silent).toMatchObject({ reason: { params: { reason: 'its host does not answer' } } })
  expect(slow).toMatchObject({ value: { data: PNG } })
})

test('a silent name server times out', async () => {
  const { client } = clientFor(undefined, { timeoutMs: 50, lookup: () => new Promise(() => undefined) })
  await expect(client.fetch('https://pictures.example/')).rejects.toMatchObject({
    params: { reason: 'it took too long' },
  })
})

test('a relay that ends aborts its download', async () => {
  const signal = new EventEmitter()
  const upstream = await startUpstream(() => void signal.emit('abort'))
  const { client, url } = clientFor(upstream)

  await expect(client.fetch(url('/'), { signal })).rejects.toMatchObject({ code: 'MEDIA_UNAVAILABLE' })
  await expect.poll(() => upstream.seen[0]?.whole).toBe(false)
  expect(signal.listenerCount('abort')).toBe(0)
})

describe('with a proxy', () => {
  test.each([
    ['that tunnels', startHttpProxy],
    ['of SOCKS', startSocksProxy],
  ])('%s the host is checked here, and the proxy gets the checked address', async (_, start) => {
    const upstream = await startUpstream((exchange) => send(exchange, PNG))
    const proxy = await start({ route: () => ({ host: '127.0.0.1', port: Number(new URL(upstream.url).port) }) })
    const addresses = [
      { address: '2606:4700::1111', family: 6 },
      { address: '8.8.8.8', family: 4 },
    ]
    const { client } = clientFor(undefined, { lookup: async () => addresses })

    expect((await client.fetch('http://pictures.example/a.png', { proxy: proxy.url })).data).toEqual(PNG)
    expect(proxy.requests).toEqual(['8.8.8.8:80'])
    expect(upstream.seen[0]?.headers.host).toBe('pictures.example')
  })

  test('a private host is rejected before a proxy request', async () => {
    const proxy = await startHttpProxy()
    const { client } = clientFor(undefined)

    await expect(client.fetch('http://10.0.0.1/', { proxy: proxy.url })).rejects.toMatchObject({
      code: 'MEDIA_REFUSED',
    })
    expect(proxy.requests).toEqual([])
  })

  test('of an unknown kind nothing is downloaded', async () => {
    const upstream = await startUpstream((exchange) => send(exchange, PNG))
    const { client, url } = clientFor(upstream)

    await expect(client.fetch(url('/'), { proxy: 'ftp://127.0.0.1' })).rejects.toMatchObject({
      code: 'MEDIA_UNAVAILABLE',
    })
    expect(upstream.seen).toEqual([])
  })
})

describe('with a worker', () => {
  const pictures = async (host: string) => [{ address: host === '127.0.0.1' ? host : '8.8.8.8', family: 4 }]

  test('the worker gets the address and the key, and returns the file', async () => {
    const upstream = await startUpstream((exchange) => send(exchange, PNG))
    const { client } = clientFor(undefined, { lookup: pictures, worker: () => ({ url: upstream.url, key: 'valid' }) })

    expect((await client.fetch('https://pictures.example/a.png')).mime).toBe('image/png')
    expect(upstream.seen.map(({ body }) => body)).toEqual([{ url: 'https://pictures.example/a.png', key: 'valid' }])
  })

  test.each(['http://pictures.example/a.png', 'https://127.0.0.1/', 'https://a:b@pictures.example/'])(
    '%s is rejected before a worker request',
    async (url) => {
      const upstream = await startUpstream((exchange) => send(exchange, PNG))
      const { client } = clientFor(undefined, { lookup: pictures, worker: () => ({ url: upstream.url, key: '' }) })

      await expect(client.fetch(url)).rejects.toMatchObject({ code: 'MEDIA_REFUSED' })
      expect(upstream.seen).toEqual([])
    },
  )
})
