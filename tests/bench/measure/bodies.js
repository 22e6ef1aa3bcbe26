import { request } from 'undici'
import { median, show } from '../figures.js'
import { cpuMs } from '../readings.js'
import { startParser, startUpstream, tryGateway } from './sides.js'

const MB = 1_000_000
const MODEL = 'sim-bench'
/** Requests per measurement. One request would be too short, because /proc counts in ticks of 10 ms. */
const REQUESTS = 20

/** Returns copies of an item, separated by commas, as many as fit into `bytes`. @param {string} item */
const many = (item, bytes = MB) => Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(',')
/** @param {string} rest */
const chat = (rest) => `{"model":"${MODEL}",${rest}}`
/** @param {string} content */
const say = (content) => chat(`"messages":[{"role":"user","content":${content}}]`)
const HELLO = '"messages":[{"role":"user","content":"hi"}]'
const PDF = Buffer.from(`%PDF-1.4\n${'/Type /Page '.repeat(MB / 16)}`).toString('base64')

/** Bodies that are expensive to parse, with as many items as the limits allow. @type {Record<string, string>} */
const SHAPES = {
  English: say(`"${'the quick brown fox '.repeat(MB / 20)}"`),
  'Chinese characters': say(`"${'\u4f60'.repeat(MB / 3)}"`),
  punctuation: say(`"${'!?.;'.repeat(MB / 4)}"`),
  'escaped letters': say(`"${'\\u0041'.repeat(MB / 6)}"`),
  'escaped quotes': say(`"${'\\"'.repeat(MB / 2)}"`),
  'an image in base64': say(`[{"type":"image_url","image_url":{"url":"data:image/png;base64,${'A'.repeat(MB)}"}}]`),
  'a PDF': say(`[{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,${PDF}"}}]`),
  numbers: chat(`${HELLO},"x":[${many('1', 590_000)}]`),
  messages: chat(`"messages":[${many('{"role":"user","content":"x"}', 295_000)}]`),
  parts: say(`[${many('{"type":"text","text":"x"}', 250_000)}]`),
  tools: chat(`${HELLO},"tools":[${many('{"type":"function","function":{"name":"x"}}', 210_000)}]`),
  'more messages than allowed': chat(`"messages":[${many('{"role":"user","content":"x"}')}]`),
}

/**
 * Measures the CPU time until a request of at most 1 MB is rejected, because its key has no quota. The yardstick
 * receives and parses the request.
 * @param {import('./sides.js').Bench} bench
 */
export async function measureBodies(bench) {
  const upstream = await startUpstream(bench)
  const parser = await startParser(bench)
  const side = await tryGateway(bench, upstream)
  if (!side) return
  const { stdout } = await side.gateway.command(['token', 'create', 'poor', '--quota', '1', '--json'])
  const poor = { ...side, key: JSON.parse(stdout).key }
  for (const [name, body] of Object.entries(SHAPES)) {
    bench.say(name)
    /** @type {[parser: number[], gateway: number[]]} */
    const ms = [[], []]
    for (let round = 0; round <= bench.rounds; round++) {
      for (const [at, one] of [parser, poor].entries()) {
        const spent = await cpuOf(one, body)
        // The first round only warms up.
        if (round > 0) ms[at]?.push(spent)
      }
    }
    const [least, spent] = ms.map(median)
    const more = (spent ?? 0) - (least ?? 0)
    const what = `1 MB, ${name}: CPU`
    bench.row({
      what,
      yardstick: show(least, 'ms'),
      gateway: show(spent, 'ms'),
      ratio: more < 0 ? show(more, 'ms') : `+${show(more, 'ms')}`,
      budget: '≤ +5 ms',
    })
    bench.keep(what, { yardstickMs: least, gatewayMs: spent })
  }
}

/** Returns the CPU time of a request in milliseconds. @param {import('./sides.js').Side} side @param {string} body */
async function cpuOf({ url, key, pid }, body) {
  const before = cpuMs(pid) ?? Number.NaN
  for (let turn = 0; turn < REQUESTS; turn++) {
    const reply = await request(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    })
    await reply.body.dump()
    if (reply.statusCode < 400 || reply.statusCode > 499)
      throw new Error(`expected a rejection, got ${reply.statusCode}`)
  }
  return ((cpuMs(pid) ?? Number.NaN) - before) / REQUESTS
}
