import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa, type Options } from 'execa'
import { vi } from 'vitest'
import type { Actor } from '../../core/actor.ts'
import { type LocalToolkit, openToolkit } from '../../core/toolkit.ts'
import { whenDone } from '../support/lifetime.ts'

/** Every command is a process of its own; on a busy machine a few of them take longer than the usual five seconds. */
vi.setConfig({ testTimeout: 30_000 })

export const BIN = fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url))
export const SECRET = 'test-secret-test-secret'
export const ROOT_PASSWORD = 'root-password'

export type World = Awaited<ReturnType<typeof createWorld>>

/** A folder and an environment in which nothing of the developer's is seen, gone when the test ends, or what shares it. */
export async function createWorld(settings: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-cli-'))
  whenDone(() => rm(folder, { recursive: true, force: true }))
  const databaseFile = join(folder, 'data', 'tollgate.db')
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    TMPDIR: folder,
    LANG: 'en_US.UTF-8',
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATABASE_URL: `sqlite:${databaseFile}`,
    TOLLGATE_SECRET: SECRET,
    ROOT_PASSWORD,
    ...settings,
  }
  const start = <const O extends Options>(words: readonly string[], options?: O) =>
    execa(process.execPath, [BIN, ...words], { cwd: folder, env, extendEnv: false, reject: false, ...options } as const)

  return {
    folder,
    env,
    url: `http://127.0.0.1:${env.PORT}`,
    databaseFile,
    start,
    /** Runs a command to its end. */
    async run(words: readonly string[], options: Options = {}) {
      const { stdout, stderr, exitCode } = await start(words, { input: '', ...options })
      return { stdout: String(stdout), stderr: String(stderr), exitCode }
    },
    /** Runs a command that must succeed, and answers its JSON document. */
    async json(...words: string[]) {
      const { stdout, stderr, exitCode } = await start([...words, '--json'], { input: '' })
      if (exitCode !== 0) throw new Error(`tollgate ${words.join(' ')} ended with ${exitCode}: ${stderr}`)
      return JSON.parse(String(stdout))
    },
    /** The same database from inside, to prepare what a test is not about and to see what a command has done. */
    async inside<T>(work: (toolkit: LocalToolkit, root: Actor) => Promise<T>): Promise<T> {
      const config = { databaseUrl: env.DATABASE_URL, secret: env.TOLLGATE_SECRET, dataFolder: join(folder, 'data') }
      const toolkit = await openToolkit(config)
      try {
        const root = (await toolkit.accounts.findRoot()) ?? (await toolkit.accounts.createRoot(ROOT_PASSWORD))
        if (!root) throw new Error('no root user')
        return await work(toolkit, root)
      } finally {
        await toolkit.close()
      }
    },
  }
}

/** A relay in the books: what the gateway writes when somebody has called it. Answers the charge. */
export async function relayed(toolkit: LocalToolkit, user: { id: number; username: string }, quota = 220) {
  const hold = await toolkit.ledger.hold({ userId: user.id, budgetTokenId: 0, quota: 1000 })
  const other = { model_ratio: 1, model_price: -1, completion_ratio: 4, group_ratio: 0.5, quota_per_unit: 500_000 }
  await toolkit.ledger.settle(hold, {
    requestId: `test-${Math.random()}`,
    userId: user.id,
    username: user.username,
    tokenId: 0,
    tokenName: 'app',
    channelId: 0,
    modelName: 'gpt-4o',
    group: 'default',
    promptTokens: 120,
    completionTokens: 80,
    quota,
    useTimeSeconds: 2,
    isStream: true,
    content: '',
    other: JSON.stringify(other),
  })
}

export const CHANNEL = { name: 'upstream', type: 1, key: 'sk-upstream', models: 'gpt-4o,gpt-4o-mini' }

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}

/** Waits until somebody answers there. */
export async function untilAnswering(url: string, timeoutMs = 18_000): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs
  while (Date.now() < giveUpAt) {
    const answered = await fetch(`${url}/api/status`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nobody answers on ${url}`)
}
