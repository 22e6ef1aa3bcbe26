import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { execa, type Options } from 'execa'
import type { OutputStream } from '../../cli/io.ts'
import { run } from '../../cli/main.ts'
import type { Actor } from '../../core/actor.ts'
import { type LocalToolkit, openToolkit } from '../../core/toolkit.ts'
import { whenDone } from '../support/lifetime.ts'

export const BIN = fileURLToPath(new URL('../../bin/tollgate.js', import.meta.url))
export const SECRET = 'test-secret-test-secret'
export const ROOT_PASSWORD = 'root-password'

export interface RunOptions {
  input?: string
  env?: Readonly<Record<string, string>>
  /** Columns of the terminal that stdout and stderr are; absent: pipes. */
  columns?: number
}
export interface Outcome {
  stdout: string
  stderr: string
  exitCode: number
}

/** Runs one command line in this process, as the launcher would in one of its own. */
export async function runHere(
  words: readonly string[],
  { env, folder, input = '', columns }: RunOptions & { env: Readonly<Record<string, string>>; folder: string },
): Promise<Outcome> {
  const [stdout, stderr] = [collector(columns), collector(columns)]
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)])
  const exitCode = await run(words, { stdin, stdout: stdout.stream, stderr: stderr.stream, env, folder })
  return { stdout: stdout.text(), stderr: stderr.text(), exitCode }
}

function collector(columns: number | undefined) {
  const chunks: Buffer[] = []
  const writable = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  const stream: OutputStream =
    columns === undefined ? writable : Object.assign(writable, { isTTY: true as const, columns })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8').replace(/\n$/, '') }
}

/** What the tests of commands use of a world, whether its gateway is a database here or a server. */
export interface CommandWorld {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Runs a command to its end. */
  run(words: readonly string[], options?: RunOptions): Promise<Outcome>
  /** Runs a command that must succeed, and answers its JSON document. */
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own; a test knows what it asked for.
  json(...words: string[]): Promise<any>
  /** The same gateway from inside, to prepare what a test is not about and to see what a command has done. */
  inside<T>(work: (toolkit: LocalToolkit, root: Actor) => Promise<T>): Promise<T>
}

export function commandsIn({ env, folder }: Pick<CommandWorld, 'env' | 'folder'>): Pick<CommandWorld, 'run' | 'json'> {
  const runThere: CommandWorld['run'] = (words, options = {}) => runHere(words, { env, folder, ...options })
  return {
    run: runThere,
    async json(...words) {
      const { stdout, stderr, exitCode } = await runThere([...words, '--json'])
      if (exitCode !== 0) throw new Error(`tollgate ${words.join(' ')} ended with ${exitCode}: ${stderr}`)
      return JSON.parse(stdout)
    },
  }
}

export type World = Awaited<ReturnType<typeof createWorld>>

/** A folder in which nothing of the developer's is seen, gone when the test ends, or what shares it. */
export async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-cli-'))
  whenDone(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const environmentIn = (folder: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  TMPDIR: folder,
  LANG: 'en_US.UTF-8',
})

/**
 * A database of its own on this machine, with a root user. Commands run in this process, and with `start` in processes of their own.
 * `isEmpty`: nothing is there yet.
 */
export async function createWorld(settings: Record<string, string> = {}, { isEmpty = false } = {}) {
  const folder = await createFolder()
  const databaseFile = join(folder, 'data', 'tollgate.db')
  const env = {
    ...environmentIn(folder),
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATABASE_URL: `sqlite:${databaseFile}`,
    TOLLGATE_SECRET: SECRET,
    ROOT_PASSWORD,
    ...settings,
  }
  const start = <const O extends Options>(words: readonly string[], options?: O) =>
    execa(process.execPath, [BIN, ...words], {
      cwd: folder,
      env,
      extendEnv: false,
      reject: false,
      // After the usual five seconds a gateway that stops on a busy machine would be killed, and seem to have failed.
      forceKillAfterDelay: 60_000,
      ...options,
    } as const)

  const world = {
    folder,
    env,
    url: `http://127.0.0.1:${env.PORT}`,
    databaseFile,
    start,
    ...commandsIn({ env, folder }),
    async inside<T>(work: (toolkit: LocalToolkit, root: Actor) => Promise<T>): Promise<T> {
      const config = { databaseUrl: env.DATABASE_URL, secret: env.TOLLGATE_SECRET, dataFolder: join(folder, 'data') }
      const toolkit = await openToolkit(config)
      try {
        const root =
          (await toolkit.accounts.findRoot()) ?? (await toolkit.accounts.createRoot(env.ROOT_PASSWORD || ROOT_PASSWORD))
        if (!root) throw new Error('no root user')
        return await work(toolkit, root)
      } finally {
        await toolkit.close()
      }
    },
  }
  if (isEmpty) return world
  const isPlain = ['DATABASE_URL', 'TOLLGATE_SECRET', 'ROOT_PASSWORD'].every((name) => !(name in settings))
  if (isPlain) await cp(await preparedData(), join(folder, 'data'), { recursive: true })
  else await world.inside(async () => undefined)
  return world
}

let prepared: Promise<string> | undefined

/** Returns a data folder after its first start. It is prepared once per worker, since migrations and a password take longer than most commands. */
function preparedData(): Promise<string> {
  prepared ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-cli-prepared-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const dataFolder = join(folder, 'data')
    const toolkit = await openToolkit({
      databaseUrl: `sqlite:${join(dataFolder, 'tollgate.db')}`,
      secret: SECRET,
      dataFolder,
    })
    await toolkit.accounts.createRoot(ROOT_PASSWORD)
    await toolkit.close()
    return dataFolder
  })()
  return prepared
}

/** Records a relay as the gateway does after a call. Returns the charge. */
export async function relayed(
  toolkit: LocalToolkit,
  user: { id: number; username: string; tokenId?: number },
  quota = 220,
) {
  const hold = await toolkit.ledger.hold({ userId: user.id, budgetTokenId: 0, quota: 1000 })
  const other = { model_ratio: 1, model_price: -1, completion_ratio: 4, group_ratio: 0.5, quota_per_unit: 500_000 }
  await toolkit.ledger.settle(hold, {
    requestId: `test-${Math.random()}`,
    userId: user.id,
    username: user.username,
    tokenId: user.tokenId ?? 0,
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

/** Waits until a server replies at that URL. */
export async function untilAnswering(url: string, timeoutMs = 50_000): Promise<void> {
  const giveUpAt = Date.now() + timeoutMs
  while (Date.now() < giveUpAt) {
    const answered = await fetch(`${url}/api/status`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no server replies at ${url}`)
}
