import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { percentile } from '../figures.js'
import { ready } from './child.js'

/**
 * A client of streams that does as little as possible. Each event of a format has the same number of line feeds, two or
 * three. So the line feeds give the number of events, even if the bytes of an event are split.
 *
 * @typedef {{ url: string, key: string, body: object, path?: string, lineFeeds?: number }} Target
 * @typedef {{ onStart?: (controller: any) => void, onFirst?: () => void, onChunks?: (chunks: number) => void }} Watch
 */

const LINE_FEED = 10
const CHAT_PATH = '/v1/chat/completions'
const PAUSE_AFTER_FAILURE_MS = 50
const OPEN_TIMEOUT_MS = 30_000

/** Aborts every stream that `open` has opened. Returns the number of streams that were still open. */
let closeOpened = async () => ({ open: 0 })

ready({}, { run, open, close: () => closeOpened(), mix })

/** Keeps `streams` streams running for `seconds`, and waits for the last ones. @param {Target & { streams: number, seconds: number }} options */
async function run({ streams, seconds, ...target }) {
  const pool = poolOf(target.url, streams)
  /** @type {number[]} */
  const firstMs = []
  const totals = { chunks: 0, chunksInTime: 0, streams: 0, failures: 0, failure: '' }
  const startedAt = performance.now()
  let elapsedMs = 0
  const timer = setTimeout(() => {
    elapsedMs = performance.now() - startedAt
  }, seconds * 1_000)
  const count = (/** @type {number} */ chunks) => {
    totals.chunks += chunks
    if (!elapsedMs) totals.chunksInTime += chunks
  }
  const lane = async () => {
    while (!elapsedMs) {
      const askedAt = performance.now()
      try {
        await post(pool, target, { onChunks: count, onFirst: () => firstMs.push(performance.now() - askedAt) })
        totals.streams++
      } catch (error) {
        totals.failures++
        totals.failure ||= String(error)
        await sleep(PAUSE_AFTER_FAILURE_MS)
      }
    }
  }
  await Promise.all(Array.from({ length: streams }, lane))
  clearTimeout(timer)
  await pool.destroy()
  firstMs.sort((a, b) => a - b)
  return {
    ...totals,
    perSecond: (totals.chunksInTime * 1_000) / elapsedMs,
    firstP50Ms: percentile(firstMs, 50),
    firstP99Ms: percentile(firstMs, 99),
  }
}

/** Opens streams and leaves them open. Returns the number of streams that have begun. @param {Target & { streams: number }} options */
async function open({ streams, ...target }) {
  const pool = poolOf(target.url, streams)
  let opened = 0
  let ended = 0
  let failure = ''
  closeOpened = async () => {
    const open = opened - ended
    await pool.destroy()
    return { open }
  }
  const begun = Array.from(
    { length: streams },
    () =>
      new Promise((resolve) => {
        let begun = false
        const onFirst = () => {
          begun = true
          resolve(++opened)
        }
        const onEnd = () => {
          if (begun) ended++
          resolve(undefined)
        }
        post(pool, target, { onFirst }).then(onEnd, (error) => {
          failure ||= String(error)
          onEnd()
        })
      }),
  )
  await Promise.race([Promise.all(begun), sleep(OPEN_TIMEOUT_MS, undefined, { ref: false })])
  return { opened, failure }
}

/**
 * A steady load of `perSecond` requests each second, alternately for streams and for whole bodies. Accepts any reply.
 * @param {Target & { streamBody: object, perSecond: number, seconds: number, inFlightMax: number }} options
 */
async function mix({ url, key, body, streamBody, perSecond, seconds, inFlightMax }) {
  const pool = poolOf(url, inFlightMax)
  const totals = { requests: 0, failures: 0, failure: '', skipped: 0 }
  /** @type {Set<Promise<void>>} */
  const inFlight = new Set()
  const startedAt = performance.now()
  for (let sent = 0; sent < perSecond * seconds; sent++) {
    const waitMs = startedAt + (sent * 1_000) / perSecond - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    if (inFlight.size >= inFlightMax) {
      totals.skipped++
      continue
    }
    const request = post(pool, { url, key, body: sent % 2 ? streamBody : body }, {})
      .catch((error) => {
        totals.failures++
        totals.failure ||= String(error)
      })
      .finally(() => inFlight.delete(request))
    totals.requests++
    inFlight.add(request)
  }
  await Promise.race([Promise.all(inFlight), sleep(OPEN_TIMEOUT_MS, undefined, { ref: false })])
  await pool.destroy()
  return totals
}

/** @param {string} url @param {number} connections */
function poolOf(url, connections) {
  return new Pool(url, { connections, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 })
}

/** Resolves when the whole reply has arrived. Rejects without a reply, or if its status is not 200. @param {Pool} pool @param {Target} target @param {Watch} watch @returns {Promise<void>} */
function post(pool, { key, body, path = CHAT_PATH, lineFeeds: feedsPerEvent = 2 }, { onFirst, onChunks }) {
  return new Promise((resolve, reject) => {
    let status = 0
    let lineFeeds = 0
    let begun = false
    let refusal = ''
    pool.dispatch(
      {
        method: 'POST',
        path,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      {
        // Without this method, undici treats the object as a handler of its older interface.
        onRequestStart() {},
        onResponseStart(_, code) {
          status = code
        },
        onResponseData(_, bytes) {
          if (status !== 200) {
            refusal += bytes
            return
          }
          if (!begun) onFirst?.()
          begun = true
          if (!onChunks) return
          for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) lineFeeds++
          onChunks(Math.floor(lineFeeds / feedsPerEvent))
          lineFeeds %= feedsPerEvent
        },
        onResponseEnd() {
          if (status === 200) resolve()
          else reject(new Error(`${status} ${refusal.slice(0, 300)}`))
        },
        onResponseError(_, error) {
          reject(error)
        },
      },
    )
  })
}
