import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { url } from './cases.mjs'
import { pipeTo } from './sockets.mjs'

const LIMIT_MS = 90_000
const { port } = new URL(url)
/** A network namespace of its own, which has nothing but a loopback device. */
const ALONE = ['--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/**
 * Runs a command of a package in a home that has nothing but `files`, where nothing but the gateway can be reached.
 * Returns what it printed; throws with its errors if it failed.
 */
export async function command(name, args, env, files = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'client-'))
  const home = join(folder, 'home')
  const socketPath = join(folder, 'gateway.sock')
  const gateway = createServer((socket) => pipeTo(socket, { host: '127.0.0.1', port }))
  gateway.listen(socketPath)
  try {
    await once(gateway, 'listening')
    await mkdir(home)
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(home, path)), { recursive: true })
      await writeFile(join(home, path), text)
    }
    return await new Promise((resolve, reject) => {
      const bin = join(import.meta.dirname, '..', 'node_modules', '.bin', name)
      const inside = [process.execPath, join(import.meta.dirname, 'inside.mjs'), socketPath, port, bin, ...args]
      const options = { cwd: home, env: { PATH: process.env.PATH, HOME: home, ...env }, timeout: LIMIT_MS }
      const child = execFile('unshare', [...ALONE, ...inside], options, (error, stdout, stderr) => {
        if (error) reject(new Error(`${stderr || stdout}`.slice(-2000)))
        else resolve(stdout)
      })
      child.stdin.end()
    })
  } finally {
    gateway.close()
    await rm(folder, { recursive: true, force: true })
  }
}
