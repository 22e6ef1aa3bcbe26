import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const LIMIT_MS = 90_000
/** Nothing but the gateway can be reached. */
const NOWHERE = 'http://127.0.0.1:9'

/** Runs a command of a package in a home that has nothing but `files`. Returns what it printed; throws with its errors if it failed. */
export async function command(name, args, env, files = {}) {
  const home = await mkdtemp(join(tmpdir(), 'client-home-'))
  const proxies = { HTTPS_PROXY: NOWHERE, HTTP_PROXY: NOWHERE, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(home, path)), { recursive: true })
      await writeFile(join(home, path), text)
    }
    return await new Promise((resolve, reject) => {
      const bin = join(import.meta.dirname, '..', 'node_modules', '.bin', name)
      const options = { cwd: home, env: { PATH: process.env.PATH, HOME: home, ...proxies, ...env }, timeout: LIMIT_MS }
      const child = execFile(bin, args, options, (error, stdout, stderr) => {
        if (error) reject(new Error(`${stderr || stdout}`.slice(-2000)))
        else resolve(stdout)
      })
      child.stdin.end()
    })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}
