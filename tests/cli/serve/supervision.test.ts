import { type ChildProcess, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { whenDone } from '../../support/lifetime.ts'
import { testFolder } from '../../support/toolkit.ts'

const PINO = createRequire(import.meta.url).resolve('pino')
const dist = (file: string) => pathToFileURL(join(process.cwd(), 'dist/cli/commands/serve', file)).href

/** The supervisor of `tollgate serve` over workers that do what the test says. `log`: its lines, and what workers print. */
async function supervise(worker: string, { count = 1 } = {}) {
  const folder = await testFolder()
  await writeFile(
    join(folder, 'worker.mjs'),
    `import { createServer } from 'node:http'
     import cluster from 'node:cluster'
     import { sendHeartbeats } from '${dist('heartbeats.js')}'
     sendHeartbeats()
     process.on('SIGTERM', () => process.exit(Number(process.env.EXIT_CODE ?? 0)))
     createServer(() => {}).listen(0, '127.0.0.1', () => console.log(JSON.stringify({ pid: process.pid })))
     ${worker}`,
  )
  await writeFile(
    join(folder, 'supervisor.mjs'),
    `import cluster from 'node:cluster'
     import { pino } from '${pathToFileURL(PINO).href}'
     import { superviseWorkers } from '${dist('workers.js')}'
     cluster.setupPrimary({ exec: '${join(folder, 'worker.mjs')}' })
     process.exitCode = await superviseWorkers({ count: ${count}, stopGraceMs: 1000, logger: pino(), ready() {} })`,
  )
  const child: ChildProcess = spawn(process.execPath, [join(folder, 'supervisor.mjs')], {
    stdio: ['ignore', 'pipe', 2],
  })
  let output = ''
  child.stdout?.on('data', (text) => {
    output += text
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  whenDone(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const lines = () => output.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Line] : []))
  const started = () => lines().flatMap(({ msg, pid }) => (msg === undefined ? [pid] : []))
  return { child, exited, lines, started }
}
interface Line {
  pid: number
  msg?: string
  worker?: number
  signal?: string
  time?: number
}

test('stopped workers, and workers in an endless loop, are killed and replaced', async () => {
  const [busy, paused] = await Promise.all([supervise(`setTimeout(() => { for (;;); }, 1500)`), supervise('')])
  await expect.poll(() => paused.started().length).toBe(1)
  process.kill(paused.started()[0] ?? 0, 'SIGSTOP')
  for (const { started, lines } of [busy, paused]) {
    await expect.poll(() => started().length, { timeout: 40_000 }).toBe(2)
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: 'a worker died', worker: started()[0], signal: 'SIGKILL' }),
    )
  }
})

test('a crash of one worker does not delay another: each restarts immediately', async () => {
  const { started } = await supervise('', { count: 3 })
  await expect.poll(() => started().length).toBe(3)
  const first = started()
  const since = performance.now()
  for (const pid of first) process.kill(pid, 'SIGKILL')
  await expect.poll(() => started().length, { interval: 10 }).toBe(6)
  // A guard: with one back-off for all, the third had to wait for two seconds before it was even started.
  expect(performance.now() - since).toBeLessThan(2000)
})

test('the supervisor reports that a worker could not store its charges', async () => {
  const { child, exited, started } = await supervise(
    'process.env.EXIT_CODE = String(cluster.worker.id === 2 ? 1 : 0)',
    {
      count: 2,
    },
  )
  await expect.poll(() => started().length).toBe(2)
  child.kill('SIGTERM')
  expect(await exited).toBe(1)
})
