import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { failureOf } from '../../cli/errors.ts'
import { createClient } from '../../cli/remote/client.ts'
import { proxyFor } from '../../cli/remote/proxy.ts'
import { REPLIES } from '../../cli/remote/replies.ts'
import { remoteToolkit } from '../../cli/remote/toolkit.ts'
import { compareToThis, isOlder } from '../../cli/remote/version.ts'
import { withRetryInParts } from '../../cli/run/retry.ts'
import { ENGLISH } from '../../cli/texts.ts'
import { GatewayError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { createFolder, environmentIn, freePort, runHere } from './support.ts'

/** A server that answers as told; gone when the test ends. */
async function serverThat(answer: RequestListener): Promise<string> {
  return listening(createServer(answer))
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return `http://127.0.0.1:${address.port}`
}

const json =
  (status: number, document: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(document))
const text =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(body)
const OURS = { 'tollgate-version': VERSION }
/** As version 0.1.0 did: it names no version but in its status, takes new words for ids, and the header of the user for granted. */
const olderTollgate: RequestListener = (request, response) => {
  const { method = '', url = '', headers } = request
  const [path = ''] = url.split('?')
  const answer =
    path === '/api/status'
      ? json(200, { success: true, message: '', data: { version: '0.1.0' } })
      : headers['tollgate-user'] === undefined
        ? json(401, refused('No permission for this operation: the Tollgate-User header is missing'))
        : /^\/api\/\w+\/\w+$/.test(path) && method === 'GET'
          ? json(200, refused('id must be a whole number'))
          : /^\/api\/\w+\/$/.test(path)
            ? json(200, { success: true, message: '' })
            : json(404, {
                error: {
                  message: `Invalid URL (${method} ${path})`,
                  type: 'invalid_request_error',
                  param: '',
                  code: '',
                },
              })
  answer(request, response)
}
const named = (code: string, kind: string, params = {}) => ({
  ...OURS,
  'tollgate-error': encodeURIComponent(JSON.stringify({ code, kind, params })),
})
const refused = (message: string) => ({ success: false, message })

test('reading many batches waits while the server runs other exports, and restarts', async () => {
  const notes: string[] = []
  let tries = 0
  async function* read() {
    tries += 1
    if (tries === 1) throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: 1 })
    yield* [1, 2]
  }
  const { signal } = new AbortController()
  const ids: number[] = []
  for await (const batch of withRetryInParts({ note: (line) => void notes.push(line), t: ENGLISH.t }, signal, read))
    ids.push(batch)
  expect(ids).toEqual([1, 2])
  expect(notes).toEqual(['The server asks to wait 1 s before the next call.'])
})

const CASES: [
  what: string,
  answer: RequestListener,
  expected: { exit: number; code: string; message: string | RegExp },
][] = [
  [
    'a web page',
    text(200, '<!doctype html><p>Hello'),
    {
      exit: 1,
      code: 'SERVER_FOREIGN',
      message: 'URL returns a web page, not the Tollgate API (HTTP 200): check the address',
    },
  ],
  ['nothing', text(200, ''), { exit: 1, code: 'SERVER_FOREIGN', message: /returns nothing/ }],
  [
    'JSON that is none',
    text(200, '{"success":tru'),
    { exit: 1, code: 'SERVER_FOREIGN', message: /returns something else/ },
  ],
  ['a JSON text', text(200, '"hello"'), { exit: 1, code: 'SERVER_FOREIGN', message: /returns something else/ }],
  [
    'a redirect',
    text(302, '', { location: 'https://other.example/' }),
    {
      exit: 1,
      code: 'SERVER_FOREIGN',
      message: 'URL redirects to https://other.example: pass that address to tollgate login',
    },
  ],
  [
    'a redirect that keeps the path of the call',
    text(301, '', { location: 'https://u:p@other.example/base/api/token/page?p=1' }),
    { exit: 1, code: 'SERVER_FOREIGN', message: /^URL redirects to https:\/\/other\.example\/base: pass that/ },
  ],
  [
    'a redirect to https',
    ({ headers, url }, response) =>
      void response.writeHead(308, { location: `https://${headers.host}${url}` }).end('{"moved":true}'),
    {
      exit: 1,
      code: 'SERVER_FOREIGN',
      message: /^URL requires https: pass https:\/\/127\.0\.0\.1:\d+ to tollgate login$/,
    },
  ],
  [
    'a redirect to a sign-in page',
    text(302, '', { location: '/sso/login?state=secret-token' }),
    {
      exit: 1,
      code: 'SERVER_FOREIGN',
      message: 'URL redirects calls to URL/sso/login, which is not an API address: check the address',
    },
  ],
  [
    'a redirect to itself',
    text(302, '', { location: '/api/token/page/' }),
    {
      exit: 1,
      code: 'SERVER_FOREIGN',
      message: /^URL redirects calls to URL\/api\/token\/page, which is not an API address/,
    },
  ],
  [
    'JSON of another API',
    json(200, { success: true, data: { hello: 'world' } }),
    {
      exit: 1,
      code: 'SERVER_FOREIGN',
      message: 'URL returns something else, not the Tollgate API (HTTP 200): check the address',
    },
  ],
  [
    'an outline of another version',
    json(
      200,
      { success: true, data: { items: [{}], total: 1, page: 1, page_size: 10 } },
      { 'tollgate-version': '9.0.0' },
    ),
    {
      exit: 1,
      code: 'SERVER_OLDER',
      message: /^URL runs version 9\.0\.0, whose reply to GET \/api\/token\/page differs/,
    },
  ],
  [
    'a refusal in the JSON of another API',
    json(401, { message: 'no route for you' }),
    { exit: 1, code: 'SERVER_FOREIGN', message: /returns something else, not the Tollgate API \(HTTP 401\)/ },
  ],
  [
    'a kind that every object has',
    json(200, refused('No.'), named('MOON_FULL', 'constructor')),
    { exit: 1, code: 'MOON_FULL', message: 'No.' },
  ],
  [
    'parameters that are none',
    json(200, refused('No.'), {
      ...OURS,
      'tollgate-error': encodeURIComponent('{"code":"TOKEN_NOT_FOUND","kind":"not_found","params":null}'),
    }),
    { exit: 3, code: 'TOKEN_NOT_FOUND', message: /^Token +does not exist$/ },
  ],
  [
    'a sign-in page of a proxy',
    text(401, '<html>who are you?'),
    { exit: 1, code: 'SERVER_FOREIGN', message: /HTTP 401/ },
  ],
  [
    'an older version',
    olderTollgate,
    {
      exit: 1,
      code: 'SERVER_OLDER',
      message: `URL runs version 0.1.0, this program is ${VERSION}: upgrade the server, or use the same version of this program`,
    },
  ],
  [
    'a path that it does not know, of this version',
    json(404, { error: { message: 'Invalid URL' } }, OURS),
    {
      exit: 1,
      code: 'SERVER_OLDER',
      message: /which does not support GET \/api\/token\/page; .* use the same version/,
    },
  ],
  [
    '429 without a word',
    text(429, ''),
    {
      exit: 1,
      code: 'SERVER_BUSY',
      message: 'URL received too many calls from this machine: try again in 30 s',
    },
  ],
  ['429 in words', json(429, refused('slow down')), { exit: 1, code: 'SERVER_BUSY', message: /too many calls/ }],
  [
    '500 in words',
    json(500, refused('Internal error')),
    {
      exit: 1,
      code: 'SERVER_BROKEN',
      message: 'URL failed with HTTP 500 (Internal error): try again; if it persists, see the gateway log',
    },
  ],
  [
    '502 of a proxy',
    text(502, '<html>Bad gateway'),
    { exit: 1, code: 'SERVER_BROKEN', message: /failed with HTTP 502: try again/ },
  ],
  [
    'a refusal that it names',
    json(200, refused('…'), named('TOKEN_NOT_FOUND', 'not_found', { id: 7 })),
    { exit: 3, code: 'TOKEN_NOT_FOUND', message: 'Token 7 does not exist' },
  ],
  [
    'a refusal with a name of the future',
    json(200, refused('The moon is full'), named('MOON_FULL', 'conflict')),
    { exit: 5, code: 'MOON_FULL', message: 'The moon is full' },
  ],
  [
    'a refusal of a kind of the future',
    json(200, refused('Not now\nnot ever'), named('MOON_FULL', 'lunar')),
    { exit: 1, code: 'MOON_FULL', message: 'Not now not ever' },
  ],
  ['a refusal without a name', json(200, refused('No.'), OURS), { exit: 2, code: 'REFUSED', message: 'No.' }],
  [
    'a name that cannot be read',
    json(200, refused('No.'), { ...OURS, 'tollgate-error': '%E0%A4%A' }),
    { exit: 2, code: 'REFUSED', message: 'No.' },
  ],
  [
    'a void access token',
    json(200, refused('…'), named('ACCESS_TOKEN_INVALID', 'unauthenticated')),
    {
      exit: 4,
      code: 'NOT_SIGNED_IN',
      message: 'URL rejects the access token: sign in again with tollgate login URL',
    },
  ],
  [
    'a connection cut in the middle',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"success":true,')
      setImmediate(() => response.destroy())
    },
    { exit: 1, code: 'SERVER_UNREACHABLE', message: /closed the connection: check that the gateway is running/ },
  ],
  [
    'no answer at all',
    (request) => void request.socket.destroy(),
    { exit: 1, code: 'SERVER_UNREACHABLE', message: /closed the connection/ },
  ],
  [
    'an answer without an end',
    (_, response) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', more)
      more()
    },
    { exit: 1, code: 'SERVER_FOREIGN', message: /returns more than 67108864 bytes/ },
  ],
]

test.each(CASES)(
  'a server that responds with %s: one line, with a suggestion',
  async (_, answer, { exit, code, message }) => {
    const url = await serverThat(answer)
    const folder = await createFolder()
    const env = { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: 'secret-token' }
    // Whose the token is is asked first; here it is known.
    const client = createClient({ url, token: 'secret-token', userId: 1 }, { env, texts: ENGLISH })
    const error: unknown = await remoteToolkit(client)
      .tokens.list({ id: 1, role: 1 })
      .then(
        () => 'answered',
        (cause: unknown) => cause,
      )
    const failure = failureOf(error, ENGLISH)
    expect({ exit: failure.exit, code: failure.code }).toEqual({ exit, code })
    const said = failure.message.replaceAll(url, 'URL')
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
    expect(said).not.toMatch(/\n|secret-token/)

    const { stdout, stderr, exitCode } = await runHere(['token', 'list', '--no-wait', '--language', 'zh'], {
      env,
      folder,
    })
    expect({ stdout, lines: stderr.split('\n').length, failed: exitCode !== 0 }).toEqual({
      stdout: '',
      lines: 1,
      failed: true,
    })
    expect(stderr).not.toMatch(/secret-token|unexpected/)
  },
)

test('an older version receives no writes, and no password', async () => {
  const written: string[] = []
  const url = await serverThat((request, response) => {
    if (request.method !== 'GET') written.push(`${request.method} ${request.url}`)
    olderTollgate(request, response)
  })
  const folder = await createFolder()
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: 'secret-token' }
  const attempts = [
    ['user', 'create', 'ann', '--role', 'admin', '--quota', '77', '--password-stdin'],
    ['channel', 'add', '--name', 'a', '--type', '1', '--models', 'm', '--key', 'sk-x'],
    ['account', 'register', 'ann', '--password-stdin'],
    ['login', url, '--username', 'root', '--password-stdin'],
  ]
  for (const words of attempts) {
    const { stderr, exitCode } = await runHere(words, { env, folder, input: 'pass-word-12' })
    expect({ words, stderr, exitCode }).toEqual({
      words,
      stderr: `error: ${url} runs version 0.1.0, this program is ${VERSION}: upgrade the server, or use the same version of this program`,
      exitCode: 1,
    })
  }
  // Also where nothing has been asked before.
  const client = createClient({ url, token: 't', userId: 1 }, { env, texts: ENGLISH })
  for (const send of ['ask', 'open'] as const) {
    await expect(client[send]('POST /api/user/', { body: {} })).rejects.toMatchObject({ code: 'SERVER_OLDER' })
  }
  expect(written).toEqual([])
})

const [MAJOR = 0, MINOR = 0, PATCH = 0] = VERSION.split('.').map(Number)
test.each([
  ['0.1.99', true, -1],
  [VERSION, false, 0],
  [`${MAJOR}.${MINOR}.${PATCH + 1}`, false, 1],
  [`${MAJOR}.${MINOR + 8}.0`, false, 1],
  [`${MAJOR + 1}.0.0`, false, 1],
  ['nightly', false, 0],
])('version %s is older than this one: %s', (version, older, order) => {
  expect({ older: isOlder(version), order: Math.sign(compareToThis(version)) }).toEqual({ older, order })
})

const ROW = Object.fromEntries(REPLIES['GET /api/log/:id'].map((field) => [field, 1]))
test.each([
  ['a web page', 'text/html', '<html>\n<p>Hello\n', /an unexpected reply/],
  ['one JSON document', 'application/json', '{"success":true,"data":[]}', /an unexpected reply/],
  ['lines of another program', 'application/x-ndjson', '{"hello":"world"}\n', /an unexpected reply/],
  ['half a row', 'application/x-ndjson', `${JSON.stringify(ROW)}\n{"id`, /closed the connection/],
])('%s instead of rows is not an export', async (_, type, body, message) => {
  const url = await serverThat(text(200, body, { ...OURS, 'content-type': type }))
  const client = createClient({ url, token: 't', userId: 1 }, { env: {}, texts: ENGLISH })
  const rows: unknown[] = []
  const reading = async () => {
    for await (const some of remoteToolkit(client).logs.scan({ id: 1, role: 100 })) rows.push(...some)
  }
  await expect(reading()).rejects.toThrow(message)
  expect(rows.length).toBeLessThan(2)
})

test('a slow server is abandoned after --timeout', async () => {
  const url = await serverThat(() => {})
  const client = createClient({ url }, { env: {}, texts: ENGLISH })
  for (const call of ['ask', 'open'] as const) {
    const error: unknown = await client[call]('GET /api/status', { timeoutMs: 50 }).catch((cause: unknown) => cause)
    expect(failureOf(error, ENGLISH)).toMatchObject({
      code: 'SERVER_UNREACHABLE',
      message: `${url} does not respond in time: check that the gateway is running and the address is right`,
    })
  }
})

test.each([
  ['https://a.example', { HTTPS_PROXY: 'p.example:8080', HTTP_PROXY: 'other' }, 'http://p.example:8080'],
  ['https://a.example', { HTTP_PROXY: 'https://p.example' }, 'https://p.example'],
  ['http://a.example', { HTTPS_PROXY: 'p.example' }, undefined],
  ['http://a.example', { HTTP_PROXY: ' ' }, undefined],
  ['http://b.a.example', { HTTP_PROXY: 'p.example', NO_PROXY: 'x, .a.example' }, undefined],
  ['http://ba.example', { HTTP_PROXY: 'p.example', NO_PROXY: 'a.example' }, 'http://p.example'],
  ['http://a.example:81', { HTTP_PROXY: 'p.example', NO_PROXY: 'a.example:80' }, 'http://p.example'],
  ['http://[::1]:81', { HTTP_PROXY: 'p.example', NO_PROXY: '[::1]:81' }, undefined],
  ['http://a.example', { HTTP_PROXY: 'socks5://u:secret@p.example', NO_PROXY: '*' }, undefined],
  ['http://a.example', { HTTP_PROXY: 'socks5://u:secret@p.example' }, 'HTTP_PROXY is not a usable proxy'],
  ['https://a.example', { https_proxy: 'a b' }, 'https_proxy is not a usable proxy'],
])('the address of %s with %j: %s', async (server, env, expected) => {
  const texts = ENGLISH
  const way = (): string | undefined => {
    try {
      return proxyFor(server, env, texts)?.displayUrl
    } catch (error) {
      return failureOf(error, ENGLISH).message.split(':')[0]
    }
  }
  expect(way()).toBe(expected)
})

test('no server, an unknown host, and a token that is no valid header: one line each, in both languages', async () => {
  const folder = await createFolder()
  const run = (url: string, token: string, ...words: string[]) =>
    runHere(['token', 'list', ...words], {
      env: { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: token },
      folder,
    })
  const down = `http://127.0.0.1:${await freePort()}`
  expect(await run(down, 't')).toEqual({
    stdout: '',
    stderr: `error: ${down} refuses connections: check that the gateway is running and the address is right`,
    exitCode: 1,
  })
  expect((await run(down, 't', '--language', 'zh')).stderr).toBe(
    `错误：${down} 拒绝连接：请检查网关是否在运行、地址是否正确`,
  )
  expect((await run('http://gateway.invalid', 't')).stderr).toMatch(
    /^error: http:\/\/gateway\.invalid has an unknown host name.*$/,
  )
  expect(await run(down, '令牌')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringContaining('has invalid characters'),
  })
})

test('a proxy is used if the environment sets one, except for hosts in NO_PROXY', async () => {
  const questions: string[] = []
  const direct = await serverThat(json(200, { success: true, message: '', data: 'hello' }, OURS))
  const proxy = createServer().on('connect', (request, socket) => {
    questions.push(request.url ?? '')
    const { hostname, port } = new URL(`http://${request.url}`)
    const there = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      there.pipe(socket).pipe(there)
    })
    for (const end of [there, socket]) end.on('error', () => {})
    onTestFinished(() => void [there, socket].map((end) => end.destroy()))
  })
  const url = await listening(proxy)
  const texts = ENGLISH
  const call = (env: Record<string, string>) => createClient({ url: direct }, { env, texts }).read('GET /api/notice')
  expect(await call({ HTTP_PROXY: url, NO_PROXY: '127.0.0.1' })).toBe('hello')
  expect(questions).toEqual([])
  expect(await call({ HTTP_PROXY: url })).toBe('hello')
  expect(questions).toEqual([direct.replace('http://', '')])
  expect(await call({ http_proxy: url.replace('http://', '') })).toBe('hello')
  expect(questions).toHaveLength(2)

  const refused = (env: Record<string, string>) =>
    call(env).then(
      () => 'answered',
      (cause: unknown) => failureOf(cause, ENGLISH).message,
    )
  const dead = `127.0.0.1:${await freePort()}`
  expect(await refused({ HTTP_PROXY: `u:secret@${dead}` })).toBe(
    `the proxy http://${dead} from HTTP_PROXY refuses connections: correct HTTP_PROXY, or add the host of ${direct} to NO_PROXY`,
  )
  const refusing = await listening(
    createServer().on('connect', (_, socket) => void socket.end('HTTP/1.1 407 Who are you?\r\n\r\n')),
  )
  expect(await refused({ HTTP_PROXY: refusing })).toMatch(/from HTTP_PROXY does not connect to .* \(HTTP 407\)/)
})
