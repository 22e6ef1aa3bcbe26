import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { GCProfiler, getHeapStatistics, promiseHooks } from 'node:v8'

/*
 * Loaded into a gateway (`--import`). Counts the costs of relays other than time, from one SIGUSR2 to the next, and
 * writes the counts to COST_FILE.
 */

/**
 * Stack frames of Knex, whose promises depend on batches of charges, not on relays. In the bundle, Knex is in the file
 * of core/db/database.ts.
 */
const OF_DATABASE = /node_modules\/(knex|tarn)\/|\/program\/database-/
// Deep enough to include the caller of the database.
Error.stackTraceLimit = 30

let isCounting = false
const NOTHING = { promises: 0, parses: 0, replyWrites: 0, timers: 0, transactions: 0, bytes: 0 }
const counts = { ...NOTHING }

const countPromises = () => {
  const stack = new Error().stack ?? ''
  if (/\/dist\//.test(stack) && !OF_DATABASE.test(stack)) counts.promises++
}

const { parse } = JSON
JSON.parse = (...parameters) => {
  if (isCounting) counts.parses++
  return parse(...parameters)
}

for (const name of ['_write', '_writev']) {
  const write = Socket.prototype[name]
  Socket.prototype[name] = function (...parameters) {
    // Only accepted sockets have a server. The other sockets lead to upstreams.
    if (isCounting && this.server) counts.replyWrites++
    return write.apply(this, parameters)
  }
}

const { setTimeout: start } = globalThis
globalThis.setTimeout = (...parameters) => {
  if (isCounting) counts.timers++
  return start(...parameters)
}

// A batch of charges is one script: one driver call, and one transaction.
const { Database } = createRequire(import.meta.url)('sqlite3')
const { exec } = Database.prototype
Database.prototype.exec = function (...parameters) {
  if (isCounting) counts.transactions++
  return exec.apply(this, parameters)
}

/** Returns allocated bytes: heap growth plus the bytes that garbage collection freed. */
function countBytes() {
  const profiler = new GCProfiler()
  profiler.start()
  const before = getHeapStatistics().used_heap_size
  return () => {
    const gained = getHeapStatistics().used_heap_size - before
    const { statistics } = profiler.stop()
    const collected = statistics.map(
      ({ beforeGC, afterGC }) => beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize,
    )
    return collected.reduce((sum, bytes) => sum + bytes, gained)
  }
}

let stopBytes = () => 0
let stopPromises = () => {}
/** Number of runs. Stacks of promises create garbage, so odd runs count bytes, and even runs count promises. */
let runs = 0

process.on('SIGUSR2', () => {
  isCounting = !isCounting
  if (isCounting) {
    Object.assign(counts, NOTHING)
    if (runs++ % 2 === 0) stopBytes = countBytes()
    else stopPromises = promiseHooks.onInit(countPromises)
    return
  }
  counts.bytes = stopBytes()
  stopPromises()
  stopBytes = () => 0
  stopPromises = () => {}
  writeFileSync(process.env.COST_FILE ?? '', JSON.stringify(counts))
})
