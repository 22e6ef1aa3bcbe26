import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { treeOf } from './readings.js'

/**
 * The processes of one benchmark. Each is started here, and stopped by its id. A child with IPC reports that it is
 * ready, and then replies to requests (see `processes/child.js`).
 *
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 * @typedef {{ pid: number, child: ChildProcess, tail: () => string, stop: () => Promise<void> }} Running
 * @typedef {Running & { info: any, ask: (what: string, options?: object, timeoutMs?: number) => Promise<any> }} Asked
 */

const READY_MS = 20_000
const STOP_MS = 10_000
const TAIL_CHARACTERS = 4_000

/** Environment of children: enough to run, without the developer's settings and proxies. */
export const CLEAN_ENV = Object.fromEntries(
  ['PATH', 'TMPDIR', 'SystemRoot'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
)

export function createProcesses() {
  /** @type {Set<Running>} */
  const running = new Set()

  /** @param {string[]} args @param {{ env?: object, cwd?: string, ipc?: boolean }} [options] @returns {Running} */
  function start(args, { env = {}, cwd, ipc = false } = {}) {
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...CLEAN_ENV, ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? [/** @type {const} */ ('ipc')] : [])],
    })
    let tail = ''
    const keep = (/** @type {Buffer} */ bytes) => {
      tail = (tail + bytes).slice(-TAIL_CHARACTERS)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const { pid } = child
    if (pid === undefined) throw new Error(`could not start node ${args[0]}`)
    const one = { pid, child, tail: () => tail.trim(), stop: () => stop(one) }
    running.add(one)
    child.once('exit', () => running.delete(one))
    return one
  }

  /** @param {Running} one */
  async function stop({ pid, child }) {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    const descendants = treeOf(pid).filter((id) => id !== pid)
    child.kill('SIGTERM')
    const inTime = await Promise.race([gone.then(() => true), sleep(STOP_MS, false, { ref: false })])
    if (inTime) return
    for (const id of [...treeOf(pid), ...descendants]) kill(id)
    await gone
  }

  /** @param {URL} file @param {object} [settings] @returns {Promise<Asked>} */
  async function fork(file, settings = {}) {
    const path = fileURLToPath(file)
    const one = start([path, JSON.stringify(settings)], { ipc: true })
    const { child } = one
    let asked = 0

    /** @param {(message: any) => boolean} wanted @param {number} timeoutMs @param {string} what @returns {Promise<any>} */
    const hear = (wanted, timeoutMs, what) =>
      new Promise((resolve, reject) => {
        const end = (/** @type {Error | undefined} */ error, /** @type {any} */ message) => {
          clearTimeout(timer)
          child.off('message', onMessage)
          child.off('exit', onExit)
          if (error) reject(error)
          else resolve(message)
        }
        const onMessage = (/** @type {any} */ message) => {
          if (wanted(message)) end(undefined, message)
        }
        const onExit = () => end(new Error(`${path} ended: ${one.tail()}`), undefined)
        const timer = setTimeout(() => end(new Error(`${what}: no answer in ${timeoutMs} ms`), undefined), timeoutMs)
        child.on('message', onMessage)
        child.on('exit', onExit)
      })

    const { ready: info } = await hear((message) => 'ready' in message, READY_MS, path)
    return {
      ...one,
      info,
      async ask(what, options = {}, timeoutMs = 60_000) {
        const id = ++asked
        const answer = hear((message) => message.id === id, timeoutMs, what)
        child.send({ id, what, options })
        const { result, error } = await answer
        if (error) throw new Error(error)
        return result
      },
    }
  }

  return {
    start,
    fork,
    async stopAll() {
      await Promise.all([...running].map(stop))
    },
    /** Kills all processes when the time of the whole run is over. */
    killAll() {
      for (const { pid } of running) for (const id of treeOf(pid)) kill(id)
    },
  }
}

/** @typedef {ReturnType<typeof createProcesses>} Processes */

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error
  }
}
