import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { promiseHooks } from 'node:v8'

/*
 * Loaded into a gateway (`--import`): counts what relays cost that no clock measures, from one SIGUSR2 to the next, and writes it
 * to COST_FILE then.
 */

/** Promises of these are paid for each batch of charges, however many relays are in it. */
const OF_DATABASE = /node_modules\/(knex|tarn)\//
/** Deep enough to see who called the database. */
Error.stackTraceLimit = 30

let isCounting = false
const counts = { promises: 0, parses: 0, replyWrites: 0 }

promiseHooks.onInit(() => {
  if (!isCounting) return
  const stack = new Error().stack ?? ''
  if (/\/dist\//.test(stack) && !OF_DATABASE.test(stack)) counts.promises++
})

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

process.on('SIGUSR2', () => {
  isCounting = !isCounting
  if (isCounting) Object.assign(counts, { promises: 0, parses: 0, replyWrites: 0 })
  else writeFileSync(process.env.COST_FILE ?? '', JSON.stringify(counts))
})
