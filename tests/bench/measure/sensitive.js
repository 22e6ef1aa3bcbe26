import { pathToFileURL } from 'node:url'
import { median, show } from '../figures.js'

const WORDS = 10_000
const PROMPT_BYTES = 10_000
const LENGTH_MAX = 50
const ROUNDS = 15
const SEARCHES = 40
const SHORT_SEARCHES = 5_000
const ENGLISH = 'etaoinshrdlucmfwypvbgkjqxz'
const COMMON_CHINESE = 3_000

/**
 * Measures the search for 10 000 words, half of them Chinese, in prompts without these words. The yardstick searches
 * for one word after the other. Also measures the default list with a short request. @param
 * {import('./sides.js').Bench} bench
 */
export async function measureSensitive(bench) {
  const dist = new URL('../dist/', pathToFileURL(bench.bin))
  const { createFolding } = await import(new URL('core/sensitive/folding.js', dist).href)
  const { createMatcher } = await import(new URL('core/sensitive/matcher.js', dist).href)
  const { extractText } = await import(new URL('server/relay/admission/extract-text.js', dist).href)
  const folding = createFolding()
  const random = seeded(20_261_121)
  const english = () => ENGLISH.charAt(Math.floor(random() * random() * ENGLISH.length))
  const chinese = () => String.fromCharCode(0x4e00 + Math.floor(random() * random() * COMMON_CHINESE))
  const words = Array.from({ length: WORDS }, (_, index) => {
    const isChinese = index % 2 === 0
    const length = (isChinese ? 4 : 7) + Math.floor(random() * random() * (LENGTH_MAX - 7))
    return Array.from({ length }, isChinese ? chinese : english).join('')
  })
  const list = words.join('\n')

  bench.say('building the list')
  const builds = Array.from({ length: 9 }, () => msOf(() => createMatcher(list, folding)))
  const buildMs = median(builds)
  bench.row({ what: `sensitive words, ${WORDS} read`, gateway: show(buildMs, 'ms'), budget: '≤ 100 ms' })
  bench.keep('sensitive words, build', { firstMs: builds[0], medianMs: buildMs })

  const matcher = createMatcher(list, folding)
  const prompts = {
    English: textOf(PROMPT_BYTES, () => (random() < 0.18 ? ' ' : english())),
    Chinese: textOf(PROMPT_BYTES / 3, chinese),
  }
  for (const [language, text] of Object.entries(prompts)) {
    bench.say(`searching 10 kB of ${language}`)
    /** @type {number[][]} */
    const [matched, looked] = [[], []]
    const search = () => find(matcher, text)
    const lookForEach = () => {
      const small = text.toLowerCase()
      return words.filter((word) => small.includes(word)).length
    }
    if (search() || lookForEach()) bench.problem(`the ${language} prompt has one of the words by chance`)
    for (let round = 0; round < ROUNDS; round++) {
      matched?.push((msOf(() => repeat(SEARCHES, search)) * 1_000) / SEARCHES)
      looked?.push(msOf(lookForEach) * 1_000)
    }
    const [us, yardstickUs] = [median(matched ?? []), median(looked ?? [])]
    const what = `sensitive words, 10 kB of ${language}`
    const ratio = show(us / yardstickUs)
    bench.row({ what, yardstick: show(yardstickUs, 'µs'), gateway: show(us, 'µs'), ratio, budget: '< 1 000 µs' })
    bench.keep(what, { us, yardstickUs })
  }

  const few = createMatcher('test_sensitive', folding)
  const body = {
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
    stream: true,
  }
  const check = () => {
    for (const text of extractText(body)) find(few, text)
  }
  repeat(SHORT_SEARCHES, check)
  const shortUs = median(
    Array.from({ length: ROUNDS }, () => (msOf(() => repeat(SHORT_SEARCHES, check)) * 1_000) / SHORT_SEARCHES),
  )
  const what = 'sensitive words, the first list, a short prompt'
  bench.row({ what, gateway: show(shortUs, 'µs'), budget: '< 10 µs' })
  bench.keep(what, { us: shortUs })
}

/** @param {{ search: Function }} matcher @param {string} text @returns {number} number of words in the text */
function find(matcher, text) {
  const found = new Set()
  matcher.search(text, { from: 0, to: text.length, state: 0 }, { found, max: 10 })
  return found.size
}

/** @param {number} length @param {() => string} next */
function textOf(length, next) {
  let text = ''
  while (text.length < length) text += next()
  // Make one flat string, like a string of a parsed body.
  return Buffer.from(text).toString()
}

/** @param {number} times @param {() => unknown} work */
function repeat(times, work) {
  for (let time = 0; time < times; time++) work()
}

/** @param {() => unknown} work */
function msOf(work) {
  const from = performance.now()
  work()
  return performance.now() - from
}

/** Returns a generator of the same numbers in every run: mulberry32. @param {number} seed */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
