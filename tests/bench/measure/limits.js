import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { show } from '../figures.js'
import { CHAT_BODY, stopAll } from './chat.js'
import { signIn } from './logs.js'
import { startLoad, startUpstream, startYardstick, tryGateway } from './sides.js'

/** @typedef {import('./sides.js').Bench} Bench @typedef {import('../gateway.js').Gateway} Gateway */

/** So large that no request is rejected. */
const MANY = 1_000_000_000
const RATES = [
  { measure: 'requests', amount: MANY, period: 'minute' },
  { measure: 'tokens', amount: MANY, period: 'minute' },
  { measure: 'concurrent', amount: 10_000, period: 'none' },
]
const BUDGET = { measure: 'quota', amount: MANY, period: 'day', time_zone: 'Asia/Shanghai' }

const CONNECTIONS = 32
/** An idle process gives its shares of concurrency limits back after a tenth of a second. */
const TURN_MS = 60
/** A change is live within this time. */
const LIVE_MS = 1_500
/** Seconds of each comparison, for each second of a round. */
const SECONDS_FACTOR = 5

/** Two customers of one gateway, alike in all but their names. Limits are set for the first. */
const NAMES = { limited: 'limited', free: 'free' }
const modelOf = (/** @type {string} */ name) => `sim-bench-${name}`

/**
 * Chat of two customers of one gateway, by turns of 60 ms, without limits, with limits of the key, and with limits of every subject of
 * one of them. Two gateways, or two minutes of the same one, differ by more than limits cost.
 *
 * @param {Bench} bench
 */
export async function measureLimits(bench) {
  const upstream = await startUpstream(bench)
  const yardstick = await startYardstick(bench, upstream)
  // Each change of the limits is many calls.
  const side = await tryGateway(bench, upstream, { env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  if (!side) return stopAll([upstream, yardstick])
  const { gateway } = side
  const [limited, free] = [
    await addCustomer(gateway, upstream.url, NAMES.limited),
    await addCustomer(gateway, upstream.url, NAMES.free),
  ]
  const setLimits = await limitSetter(gateway)
  const load = await startLoad(bench, 'turns-load')

  /** @param {object[]} targets @param {number} seconds @returns {Promise<Sums[]>} */
  const turns = (targets, seconds) =>
    load.ask('run', { targets, connections: CONNECTIONS, turnMs: TURN_MS, seconds }, (seconds + 30) * 1_000)
  const seconds = SECONDS_FACTOR * bench.rounds * bench.roundSeconds
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
    ['limits of every subject', Object.entries(subjects).flatMap(([subject, id]) => limitsOf(subject, id))],
  ])

  bench.say('no limits')
  await turns([bare, ...customers], bench.warmUpSeconds)
  compare(bench, 'chat, no limits', await turns([bare, targetOf(free)], seconds))
  for (const [what, limits] of variants) {
    bench.say(what)
    await setLimits(limits)
    await turns(customers, bench.warmUpSeconds)
    compare(
      bench,
      `${what} beside no limits`,
      await turns(customers, seconds),
      limits.length > 0 ? '≥ 0.97' : undefined,
    )
  }
  await stopAll([load, upstream, yardstick, side])
}

/** @typedef {{ requests: number, ms: number, cpuMs: number, failures: number }} Sums */

/** @param {Bench} bench @param {string} what @param {Sums[]} sums @param {string} [budget] */
function compare(bench, what, sums, budget) {
  const failures = sums.reduce((sum, one) => sum + one.failures, 0)
  if (failures > 0) bench.problem(`${what}: ${failures} requests failed`)
  const row = (
    /** @type {string} */ name,
    /** @type {(one: Sums) => number} */ pick,
    /** @type {string | undefined} */ unit,
  ) => {
    const [left = Number.NaN, right = Number.NaN] = sums.map(pick)
    bench.row({
      what: `${what}, ${name}`,
      yardstick: show(left, unit),
      gateway: show(right, unit),
      ratio: show(right / left),
      ...(budget && !unit ? { budget } : {}),
    })
  }
  row('requests/s', ({ requests, ms }) => (requests * 1_000) / ms, undefined)
  row('CPU of a request', ({ requests, cpuMs }) => (cpuMs * 1_000) / requests, 'µs')
  bench.keep(what, sums)
}

/** @param {string} subject @param {string} id */
function limitsOf(subject, id) {
  const limits = subject === 'channel' ? RATES : [...RATES, BUDGET]
  return limits.map((limit) => ({ subject, subject_id: id, ...limit }))
}

/** @typedef {Awaited<ReturnType<typeof addCustomer>>} Customer */

/** A user, a group, a key, a channel and a model of one name. @param {Gateway} gateway @param {string} url @param {string} name */
async function addCustomer(gateway, url, name) {
  const model = modelOf(name)
  const groups = Object.fromEntries(['default', ...Object.values(NAMES)].map((group) => [group, 1]))
  const ratios = Object.fromEntries(Object.values(NAMES).map((one) => [modelOf(one), 1]))
  const run = async (/** @type {string[]} */ ...args) => JSON.parse((await gateway.command([...args, '--json'])).stdout)
  await gateway.command(['option', 'set', 'GroupRatio', JSON.stringify(groups)])
  await gateway.command(['option', 'set', 'ModelRatio', JSON.stringify(ratios)])
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

/** What limits can be set for. The channel has one key, so limits of channel keys do not apply. @param {Customer} customer */
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
