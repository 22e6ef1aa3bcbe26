import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { GCProfiler, getHeapStatistics, promiseHooks } from 'node:v8'

/*
 * Loaded into a gateway (`--import`): counts what relays cost that no clock measures, from one SIGUSR2 to the next, and writes it
 * to COST_FILE then.
 */

/** Promises of these are paid for each batch of charges, however many relays are in it. */
const OF_DATABASE = /node_modules\/(knex|tarn)\//
/** Deep enough to see who called the database. */
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
    // Only sockets that a server accepted have one: the others lead to upstreams.
    if (isCounting && this.server) counts.replyWrites++
    return write.apply(this, parameters)
  }
}

const { setTimeout: start } = globalThis
globalThis.setTimeout = (...parameters) => {
  if (isCounting) counts.timers++
  return start(...parameters)
}

// A batch of charges is one script: one call into the driver, and one transaction.
const { Database } = createRequire(import.meta.url)('sqlite3')
const { exec } = Database.prototype
Database.prototype.exec = function (...parameters) {
  if (isCounting) counts.transactions++
  return exec.apply(this, parameters)
}

/** Bytes that were allocated: what the heap has gained, and what collections took from it meanwhile. */
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
/** The stacks of promises are garbage of their own, so bytes are counted in another run: the first, third, … counts them. */
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
