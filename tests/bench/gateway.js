import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

/**
 * A gateway, started by its command line, with its own database in the folder of the run.
 *
 * @typedef {import('./processes.js').Processes} Processes
 * @typedef {{ processes: Processes, bin: string, folder: string }} Place
 * @typedef {{ workers?: number, env?: object, nodeArgs?: string[] }} GatewayOptions
 * @typedef {Awaited<ReturnType<typeof startGateway>>} Gateway
 */

const READY_MS = 30_000
const COMMAND_MS = 30_000
const SERVING_MS = 10_000
const USER = 'bench'
const PASSWORD = 'bench-password'
const BALANCE = '1000000000000'

/** Starts a gateway, and waits until `/api/status` replies. @param {Place} place @param {GatewayOptions} [options] */
export async function startGateway(place, { workers = 1, env: more = {}, nodeArgs = [] } = {}) {
  const { processes, bin } = place
  if (!existsSync(bin)) throw new Error(`${bin} does not exist`)
  const folder = await mkdtemp(join(place.folder, 'gateway-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    HOME: folder,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: `sqlite:${join(folder, 'tollgate.db')}`,
    ROOT_PASSWORD: PASSWORD,
    TOLLGATE_SECRET: 'bench-secret-bench-secret-bench-secret',
    LOG_LEVEL: 'warn',
    LANG: 'en_US.UTF-8',
    WORKERS: String(workers),
    ...more,
  }
  // Use a separate folder, so that the gateway reads no configuration file of the developer.
  const serve = () => processes.start([...nodeArgs, bin, 'serve'], { env, cwd: folder })
  let server = serve()

  const gateway = {
    url,
    databaseFile: join(folder, 'tollgate.db'),
    rootPassword: PASSWORD,
    get pid() {
      return server.pid
    },
    tail: () => server.tail(),
    /** Runs one command to its end. Returns its output, and the lifetime of its process. @param {string[]} args @param {object} [more] @param {number} [limitMs] */
    command: (args, more = {}, limitMs = COMMAND_MS) =>
      runCommand(processes, [bin, ...args], { env: { ...env, ...more }, cwd: folder, limitMs }),
    async restart() {
      await server.stop()
      server = serve()
      await untilReady(url, server)
    },
    stop: () => server.stop(),
  }
  try {
    await untilReady(url, server)
    return gateway
  } catch (error) {
    await gateway.stop()
    throw error
  }
}

/** Models of the upstreams, by the kind of reply. */
const MODELS = { fast: 'sim-bench', paced: 'sim-bench-paced', messages: 'sim-bench-messages', whole: 'sim-bench-whole' }

/**
 * Creates channels, prices and a user with a balance by the command line, and waits until the gateway serves. Returns
 * the API key.
 *
 * @param {Gateway} gateway
 * @param {{ url: string, pacedUrl: string, messagesUrl?: string, wholeUrl?: string }} upstream
 * @param {{ messages?: boolean, whole?: boolean }} [options] whether to add channels to the upstream of Messages, and
 *   to the upstream that sends a stream in one piece
 */
export async function setUp(gateway, upstream, { messages = false, whole = false } = {}) {
  const { url, pacedUrl, messagesUrl = '', wholeUrl = '' } = upstream
  const add = (/** @type {string} */ model, /** @type {string} */ type, /** @type {string} */ address) =>
    gateway.command(
      ['channel', 'add', '--name', model, '--type', type, '--key', 'upstream-key', '--base-url', address].concat([
        '--models',
        model,
        '--json',
      ]),
    )
  await add(MODELS.fast, 'openai', url)
  await add(MODELS.paced, 'openai', pacedUrl)
  if (messages) await add(MODELS.messages, 'anthropic', messagesUrl)
  if (whole) await add(MODELS.whole, 'openai', wholeUrl)
  const ratios = Object.fromEntries(Object.values(MODELS).map((model) => [model, 1]))
  await gateway.command(['option', 'set', 'ModelRatio', JSON.stringify(ratios)])
  await gateway.command(['user', 'create', USER, '--password', PASSWORD, '--quota', BALANCE, '--json'])
  const { stdout } = await gateway.command(['token', 'create', 'bench', '--user', USER, '--unlimited', '--json'])
  const { key } = JSON.parse(stdout)
  if (typeof key !== 'string' || !key.startsWith('sk-')) throw new Error('`token create --json` printed no key')
  await untilServing(gateway, key, [MODELS.fast, MODELS.paced])
  return key
}

/** @param {Processes} processes @param {string[]} args @param {{ env?: object, cwd?: string, limitMs?: number }} [options] */
export async function runCommand(processes, args, { limitMs = COMMAND_MS, ...options } = {}) {
  const startedAt = performance.now()
  const { child, stop, tail } = processes.start(args, options)
  let stdout = ''
  child.stdout?.on('data', (bytes) => {
    stdout += bytes
  })
  const timer = setTimeout(() => void stop(), limitMs)
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  if (code !== 0) throw new Error(`\`${args.slice(1, 3).join(' ')}\` ended with ${code}: ${tail()}`)
  return { stdout, wallMs: performance.now() - startedAt }
}

/** @param {string} url @param {import('./processes.js').Running} server */
async function untilReady(url, { child, tail }) {
  const giveUpAt = performance.now() + READY_MS
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`the gateway ended with ${child.exitCode}: ${tail()}`)
    if ((await statusOf(`${url}/api/status`)) === 200) return
    await sleep(50)
  }
  throw new Error(`the gateway was not ready in ${READY_MS} ms: ${tail()}`)
}

/** Waits until the gateway serves the models. Changes by the command line apply within a second. @param {Gateway} gateway @param {string} key @param {string[]} models */
async function untilServing({ url, tail }, key, models) {
  const giveUpAt = performance.now() + SERVING_MS
  let last = ''
  while (performance.now() < giveUpAt) {
    const answers = await Promise.all(models.map((model) => ask(url, key, model)))
    if (answers.every(({ status }) => status === 200)) return
    last = answers.map(({ status, text }) => `${status} ${text}`).join('; ')
    await sleep(100)
  }
  throw new Error(`the gateway does not serve ${models}: ${last} ${tail()}`)
}

/** @param {string} url @param {string} key @param {string} model */
async function ask(url, key, model) {
  const { statusCode, body } = await request(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'ready?' }], max_tokens: 1 }),
  })
  return { status: statusCode, text: (await body.text()).slice(0, 300) }
}

/** @param {string} url */
async function statusOf(url) {
  try {
    const { statusCode, body } = await request(url, { headersTimeout: 2_000 })
    await body.dump()
    return statusCode
  } catch {
    // The gateway does not listen yet. `untilReady` retries.
    return undefined
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  await once(server, 'close')
  return port
}
