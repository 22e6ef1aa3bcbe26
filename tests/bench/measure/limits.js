import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { chat, cpuOfRequest, stopAll } from './chat.js'
import { signIn } from './logs.js'
import { alternate, compare, startLoad, startUpstream, startYardstick, tryGateway } from './sides.js'

/** @typedef {import('./sides.js').Bench} Bench @typedef {import('../gateway.js').Gateway} Gateway */

/** So large that no request is rejected. */
const MANY = 1_000_000_000
const RATES = [
  { measure: 'requests', amount: MANY, period: 'minute' },
  { measure: 'tokens', amount: MANY, period: 'minute' },
  { measure: 'concurrent', amount: 10_000, period: 'none' },
]
const BUDGET = { measure: 'quota', amount: MANY, period: 'day', time_zone: 'Asia/Shanghai' }
const CHANNELS = ['channel', 'channel-key']
const limitsOf = (/** @type {string} */ subject) =>
  (CHANNELS.includes(subject) ? RATES : [...RATES, BUDGET]).map((limit) => ({ subject, subject_id: '*', ...limit }))
const OF_KEY = limitsOf('token')
const OF_ALL = ['token', 'user', 'group', 'model', 'address', ...CHANNELS].flatMap(limitsOf)
/** A change is live within this time. */
const LIVE_MS = 1_000
/** Many short rounds, because what limits cost is less than the difference between two long rounds of the same. */
const ROUNDS_FACTOR = 12
const ROUND_SECONDS = 1.5
const SETTLE_SECONDS = 1

/**
 * Chat through one gateway without limits, with limits of the key, and with limits of every subject, by turns. Two gateways would differ
 * by more than limits cost.
 *
 * @param {Bench} bench
 */
export async function measureLimits(bench) {
  const upstream = await startUpstream(bench)
  const yardstick = await startYardstick(bench, upstream)
  // Each change of the limits is many calls.
  const side = await tryGateway(bench, upstream, { env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const load = await startLoad(bench, 'chat-load')
  const measure = (/** @type {import('./sides.js').Side} */ one, /** @type {number} */ seconds) =>
    chat(bench, load, one, seconds)
  const setLimits = side && (await limitSetter(side.gateway))
  const variants = /** @type {const} */ ([
    ['no limits', []],
    ['limits of the key', OF_KEY],
    ['limits of every subject', OF_ALL],
  ])
  const sides = [
    yardstick,
    ...variants.map(([name, limits]) => {
      if (!setLimits) return undefined
      const limited = { ...side, name }
      const prepare = async () => {
        await setLimits(limits)
        // The first requests fetch shares from the database.
        await measure(limited, SETTLE_SECONDS)
      }
      return { ...limited, prepare }
    }),
  ]
  const short = { ...bench, rounds: ROUNDS_FACTOR * bench.rounds, roundSeconds: ROUND_SECONDS }
  const [bare = [], none = [], ...limited] = await alternate(short, sides, measure)
  const pairs = /** @type {const} */ ([
    ['chat, no limits', [bare, none], undefined],
    ...limited.map((measured, index) => [`${variants[index + 1]?.[0]} beside no limits`, [none, measured], '≥ 0.97']),
  ])
  for (const [what, pair, budget] of pairs) {
    compare(bench, `${what}, requests/s`, pair, (one) => one.perSecond, budget ? { budget } : {})
    compare(bench, `${what}, CPU of a request`, pair, cpuOfRequest, { unit: 'µs' })
  }
  bench.keep('limits', { bare, none, limited })
  await stopAll([load, upstream, yardstick, side])
}

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
