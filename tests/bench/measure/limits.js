import { chat, cpuOfRequest, stopAll } from './chat.js'
import { alternate, compare, startLoad, startUpstream, startYardstick, tryGateway } from './sides.js'

/** @typedef {import('./sides.js').Bench} Bench */

/** So large that no request is rejected. */
const MANY = '1000000000'
const RATES = ['--requests', MANY, '--tokens', MANY]
const SUBJECTS = ['user', 'group', 'model', 'address', 'channel', 'channel-key']
/** What a channel may spend has no limit. */
const OF_CHANNELS = /^channel/

/** Chat through gateways without limits, with limits of the key, and with limits of every subject. @param {Bench} bench */
export async function measureLimits(bench) {
  const upstream = await startUpstream(bench)
  const yardstick = await startYardstick(bench, upstream)
  const [none, ofKey, all] = [
    await tryGateway(bench, upstream),
    await tryGateway(bench, upstream),
    await tryGateway(bench, upstream),
  ]
  for (const side of [ofKey, all]) if (side) await limit(side.gateway, 'token')
  for (const subject of SUBJECTS) if (all) await limit(all.gateway, subject)
  const load = await startLoad(bench, 'chat-load')
  const named = (/** @type {typeof none} */ side, /** @type {string} */ name) => side && { ...side, name }
  const sides = [
    yardstick,
    named(none, 'no limits'),
    named(ofKey, 'limits of the key'),
    named(all, 'limits of every subject'),
  ]

  const figures = await alternate(bench, sides, (side, seconds) => chat(bench, load, side, seconds))
  const [bare, ...gateways] = figures
  const names = ['no limits', 'limits of the key', 'limits of every subject']
  for (const [index, measured] of gateways.entries()) {
    const pair = [bare ?? [], measured]
    compare(bench, `chat, ${names[index]}, requests/s`, pair, (one) => one.perSecond)
    compare(bench, `chat, ${names[index]}, CPU of a request`, pair, cpuOfRequest, { unit: 'µs' })
  }
  for (const [index, measured] of gateways.slice(1).entries()) {
    const what = `${names[index + 1]} beside no limits, requests/s`
    compare(bench, what, [gateways[0] ?? [], measured], (one) => one.perSecond, { budget: '≥ 0.97' })
    const cpu = `${names[index + 1]} beside no limits, CPU`
    compare(bench, cpu, [gateways[0] ?? [], measured], cpuOfRequest, { unit: 'µs' })
  }
  bench.keep('limits', Object.fromEntries(['yardstick', ...names].map((name, index) => [name, figures[index]])))
  await stopAll([load, upstream, ...sides])
}

/** Limits of each of a subject: by the minute and by the day, and of concurrency. @param {import('../gateway.js').Gateway} gateway @param {string} subject */
async function limit(gateway, subject) {
  await gateway.command(['limit', 'set', subject, '*', ...RATES, '--per', 'minute'])
  if (!OF_CHANNELS.test(subject)) {
    const budget = ['--quota', MANY, '--per', 'day', '--timezone', 'Asia/Shanghai']
    await gateway.command(['limit', 'set', subject, '*', ...budget])
  }
  await gateway.command(['limit', 'set', subject, '*', '--concurrency', '10000'])
}
