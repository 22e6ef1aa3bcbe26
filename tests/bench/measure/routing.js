import { pathToFileURL } from 'node:url'
import { median, show } from '../figures.js'

const CHANNELS = 5000
const MODELS = 200
const WEIGHTS = 100
const ROUNDS = 5
const GROUP = 'default'
const TYPE = { operations: ['chat'] }

/**
 * Measures one choice among many channels, and the change of one channel. The yardstick is the simplest weighted
 * choice: it adds up the weights of the allowed channels, and walks to the channel that the random number selects.
 * @param {import('./sides.js').Bench} bench
 */
export async function measureRouting(bench) {
  const { createRoutingIndex } = await import(
    new URL('../dist/core/channels/routing/routing-index.js', pathToFileURL(bench.bin)).href
  )
  const { pickChannel } = await import(
    new URL('../dist/core/channels/routing/routing.js', pathToFileURL(bench.bin)).href
  )
  const models = Array.from({ length: MODELS }, (_, index) => `model-${index}`)
  const channels = Array.from({ length: CHANNELS }, (_, index) => channel(index + 1, models))
  const index = createRoutingIndex()
  const before = process.cpuUsage()
  for (const each of channels) index.add(each)
  const { user, system } = process.cpuUsage(before)
  const loadMs = (user + system) / 1000

  const allButOne = channels[CHANNELS / 2]
  const cases = [
    { what: 'plain', may: () => true, choices: 100_000 },
    { what: '10 % refused', may: (/** @type {any} */ { id }) => id % 10 !== 0, choices: 100_000 },
    { what: 'all but one refused', may: (/** @type {any} */ one) => one === allButOne, choices: 5_000 },
  ]
  for (const { what, may, choices } of cases) {
    bench.say(what)
    let turn = 0
    const model = () => models[turn++ % MODELS]
    const bare = microseconds(500, () => linearPick(channels, may, Math.random()))
    const ours = microseconds(choices, () => pickChannel(index.pool(GROUP, model(), 'chat'), may, Math.random))
    const name = `routing, ${CHANNELS} channels, ${what}`
    bench.row({
      what: name,
      yardstick: show(bare, 'µs'),
      gateway: show(ours, 'µs'),
      ratio: show(ours / bare),
      budget: '≤ 20 µs',
    })
    bench.keep(name, { yardstickUs: bare, us: ours })
  }

  bench.say('one change')
  const changed = channels.map((each) => ({ ...each, weight: each.weight + 1 }))
  let at = 0
  const changeUs = microseconds(CHANNELS / ROUNDS, () => {
    index.remove(channels[at])
    index.add(changed[at++])
  })
  const what = `routing, a change of one among ${CHANNELS} × ${MODELS}`
  bench.row({
    what,
    gateway: show(changeUs / 1000, 'ms'),
    yardstick: show(loadMs, 'ms'),
    ratio: show(changeUs / 1000 / loadMs),
  })
  bench.note('routing: the change of one channel is compared with the insertion of all channels')
  bench.keep(what, { ms: changeUs / 1000, loadMs })
}

/** Returns a channel with a round weight, as operators set. @param {number} id @param {string[]} models */
function channel(id, models) {
  return { id, priority: 0, weight: (id * 7) % WEIGHTS, groups: [GROUP], models, type: TYPE }
}

/** @template T @param {readonly (T & { weight: number })[]} channels @param {(channel: T) => boolean} may @param {number} random */
function linearPick(channels, may, random) {
  const left = channels.filter(may)
  let at = random * left.reduce((sum, { weight }) => sum + weight + 10, 0)
  return left.find(({ weight }) => {
    at -= weight + 10
    return at < 0
  })
}

/** Returns the median CPU time of one synchronous call, in microseconds. @param {number} calls @param {() => unknown} call */
function microseconds(calls, call) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let count = 0; count < calls; count++) call()
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / calls)
  }
  return median(rounds)
}
