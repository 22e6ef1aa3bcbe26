import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { mean, show, standardError } from '../figures.js'
import { CHAT_BODY, stopAll } from './chat.js'
import { signIn } from './logs.js'
import { startLoad, startUpstream, startYardstick, tryGateway } from './sides.js'

/** @typedef {import('./sides.js').Bench} Bench @typedef {import('../gateway.js').Gateway} Gateway */

/** Amount of each limit, so large that no request is rejected. */
const MANY = 1_000_000_000
const RATES = [
  { measure: 'requests', amount: MANY, period: 'minute' },
  { measure: 'tokens', amount: MANY, period: 'minute' },
  { measure: 'concurrent', amount: 10_000, period: 'none' },
]
const BUDGET = { measure: 'quota', amount: MANY, period: 'day', time_zone: 'Asia/Shanghai' }
/** Limits that cover every subject and every measure. */
const ONE_OF_EACH = /** @type {const} */ ([
  { subject: 'token', measure: 'tokens', amount: MANY, period: 'minute' },
  { subject: 'user', ...BUDGET },
  { subject: 'group', measure: 'requests', amount: MANY, period: 'hour' },
  { subject: 'model', measure: 'tokens', amount: MANY, period: 'week' },
  { subject: 'address', measure: 'requests', amount: MANY, period: 'minute' },
  { subject: 'channel', measure: 'concurrent', amount: 10_000, period: 'none' },
])

const CONNECTIONS = 32
/**
 * Duration of a turn. Each customer is idle in the turn of the other. After 0.1 to 0.2 s without use, a process would
 * return its shares of concurrency limits.
 */
const TURN_MS = 60
/** Time within which a change of the limits applies. */
const LIVE_MS = 1_500
/** Duration of a comparison, as a multiple of the duration of a round. */
const SECONDS_FACTOR = 5
/** Number of parts of a comparison. The spread of the parts shows the error. */
const PARTS = 9

/** Two customers of one gateway who differ only in their names. Limits are set for one of them. */
const NAMES = { limited: 'limited', free: 'free' }
const modelOf = (/** @type {string} */ name) => `sim-bench-${name}`

/**
 * Measures chat of two customers of one gateway, in turns of 60 ms, with limits for one of them. Two gateways, or two
 * minutes of one gateway, would differ by more than limits cost.
 *
 * @param {Bench} bench
 */
export async function measureLimits(bench) {
  const upstream = await startUpstream(bench)
  const yardstick = await startYardstick(bench, upstream)
  // Each change of the limits makes many calls.
  const side = await tryGateway(bench, upstream, { env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  if (!side) return stopAll([upstream, yardstick])
  const { gateway } = side
  const names = Object.values(NAMES)
  const ratios = {
    GroupRatio: Object.fromEntries(['default', ...names].map((group) => [group, 1])),
    ModelRatio: Object.fromEntries(names.map((name) => [modelOf(name), 1])),
  }
  for (const [option, of] of Object.entries(ratios))
    await gateway.command(['option', 'set', option, JSON.stringify(of)])
  const [limited, free] = [
    await addCustomer(gateway, upstream.url, NAMES.limited),
    await addCustomer(gateway, upstream.url, NAMES.free),
  ]
  const setLimits = await limitSetter(gateway)
  const load = await startLoad(bench, 'turns-load')

  /** @param {object[]} targets @param {number} seconds @returns {Promise<Sums[]>} */
  const turns = (targets, seconds) =>
    load.ask('run', { targets, connections: CONNECTIONS, turnMs: TURN_MS, seconds }, (seconds + 30) * 1_000)
  const partSeconds = (SECONDS_FACTOR * bench.rounds * bench.roundSeconds) / PARTS
  const parts = async (/** @type {object[]} */ targets) => {
    const all = []
    for (let part = 0; part < PARTS; part++) all.push(await turns(targets, partSeconds))
    return all
  }
  const targetOf = (/** @type {Customer} */ { key, model, address }) => ({
    url: gateway.url,
    pid: gateway.pid,
    key,
    address,
    body: { ...CHAT_BODY, model },
  })
  const customers = [targetOf(free), targetOf(limited)]
  const bare = { ...targetOf(free), url: yardstick.url, pid: yardstick.pid }
  const subjects = subjectsOf(limited)
  const variants = /** @type {const} */ ([
    ['the same customer twice', []],
    ['limits of the key', limitsOf('token', subjects.token)],
    ['a limit of every kind', ONE_OF_EACH.map((limit) => ({ ...limit, subject_id: subjects[limit.subject] }))],
    ['all measures of all subjects', Object.entries(subjects).flatMap(([subject, id]) => limitsOf(subject, id))],
  ])

  bench.say('no limits')
  await turns([bare, ...customers], bench.warmUpSeconds)
  compareSums(bench, 'chat, no limits', await parts([bare, targetOf(free)]))
  for (const [what, limits] of variants) {
    bench.say(what)
    await setLimits(limits)
    await turns(customers, bench.warmUpSeconds)
    compareSums(bench, `${what} beside no limits`, await parts(customers), limits.length > 0 ? '≥ 0.97' : undefined)
  }
  await stopAll([load, upstream, yardstick, side])
}

/** @typedef {{ requests: number, ms: number, cpuMs: number, failures: number }} Sums */

/**
 * Reports the ratio of two sides, and the standard error of the ratio.
 *
 * @param {Bench} bench @param {string} what @param {Sums[][]} parts of the left and the right side @param {string} [budget]
 */
function compareSums(bench, what, parts, budget) {
  const failures = parts.flat().reduce((sum, one) => sum + one.failures, 0)
  if (failures > 0) bench.problem(`${what}: ${failures} requests failed`)
  const row = (
    /** @type {string} */ name,
    /** @type {(one: Sums) => number} */ pick,
    /** @type {string | undefined} */ unit,
  ) => {
    const figures = parts.map((sums) => sums.map(pick))
    const ratios = figures.map(([left = Number.NaN, right = Number.NaN]) => right / left)
    const [left, right] = [0, 1].map((side) => mean(figures.map((figure) => figure[side] ?? Number.NaN)))
    bench.row({
      what: `${what}, ${name}`,
      yardstick: show(left, unit),
      gateway: show(right, unit),
      ratio: `${mean(ratios).toFixed(3)} ± ${standardError(ratios).toFixed(3)}`,
      ...(budget && !unit ? { budget } : {}),
    })
  }
  row('requests/s', ({ requests, ms }) => (requests * 1_000) / ms, undefined)
  row('CPU of a request', ({ requests, cpuMs }) => (cpuMs * 1_000) / requests, 'µs')
  bench.keep(what, parts)
}

/** @param {string} subject @param {string} id */
function limitsOf(subject, id) {
  const limits = subject === 'channel' ? RATES : [...RATES, BUDGET]
  return limits.map((limit) => ({ subject, subject_id: id, ...limit }))
}

/** @typedef {Awaited<ReturnType<typeof addCustomer>>} Customer */

/** Creates a user, a group, a key, a channel and a model with one name. @param {Gateway} gateway @param {string} url @param {string} name */
async function addCustomer(gateway, url, name) {
  const model = modelOf(name)
  const run = async (/** @type {string[]} */ ...args) => JSON.parse((await gateway.command([...args, '--json'])).stdout)
  const channel = await run(
    ...['channel', 'add', '--name', name, '--type', 'openai', '--key', 'upstream-key', '--base-url', url],
    ...['--models', model, '--group', name],
  )
  const user = await run(
    ...['user', 'create', name, '--password', `password-of-${name}`, '--quota', '1000000000000', '--group', name],
  )
  const token = await run('token', 'create', name, '--user', name, '--unlimited')
  const address = name === NAMES.free ? '127.0.0.2' : '127.0.0.1'
  return {
    name,
    model,
    address,
    key: token.key,
    token: String(token.id),
    user: String(user.id),
    channel: String(channel.id),
  }
}

/** Returns the subjects for which limits can be set. The channel has one key, so limits of channel keys do not apply. @param {Customer} customer */
const subjectsOf = ({ token, user, name, model, address, channel }) => ({
  token,
  user,
  group: name,
  model,
  address,
  channel,
})

/** Returns a function that replaces all limits of a gateway. @param {Gateway} gateway */
async function limitSetter(gateway) {
  const headers = { ...(await signIn(gateway)), 'content-type': 'application/json', 'accept-language': 'en' }
  /** @param {'GET' | 'PUT' | 'DELETE'} method @param {string} [id] @param {object} [content] */
  const send = async (method, id = '', content) => {
    const sent = content ? { body: JSON.stringify(content) } : {}
    const { body } = await request(`${gateway.url}/api/limit/${id}`, { method, headers, ...sent })
    const answer = /** @type {any} */ (await body.json())
    if (!answer.success) throw new Error(`The limits could not be set: ${answer.message}`)
    return answer.data
  }
  return async (/** @type {readonly object[]} */ limits) => {
    for (const { id } of await send('GET')) await send('DELETE', String(id))
    if (limits.length > 0) await send('PUT', '', { limits })
    await sleep(LIVE_MS)
  }
}
