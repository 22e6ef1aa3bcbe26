import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { describe, expect, test } from 'vitest'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { whenDone } from '../support/lifetime.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit, type TestToolkit } from '../support/toolkit.ts'
import { BIN, commandsIn, createFolder, environmentIn, freePort } from './support.ts'

const COUNT = 10_000

/** Somebody's command line, signed in to that server as root. */
async function clientOf({ toolkit, root }: TestToolkit, url: string) {
  const folder = await createFolder()
  const token = await toolkit.accessTokens.create(root)
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: token }
  return { folder, env, ...commandsIn({ env, folder }) }
}

const linesOf = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
/** Every code that exists, oldest first. */
const codesIn = ({ toolkit }: TestToolkit): Promise<string[]> =>
  toolkit.db.reader('redemptions').orderBy('id').pluck('key')

test('10 000 codes through a server, interrupted by Ctrl-C and killed on the way, are 10 000 in the end, and in the file', async () => {
  const world = await openTestToolkit()
  const { url } = await startServer(world)
  const { folder, env } = await clientOf(world, url)
  const words = ['redemption', 'create', '--name', 'launch', '--quota', '500', '--count', String(COUNT)]
  const keyed = [...words, '--idempotency-key', 'launch-1', '--output', 'codes.txt']

  const cut = await inTerminal(keyed, { folder, env, at: 40, act: (terminal) => terminal.write('\u0003') })
  expect(cut.exitCode).toBe(130)
  expect(cut.seen).toMatch(/Making codes █+░+ \d+\/10000 [4-8]\d%/)
  expect(cut.seen).toMatch(/interrupted: \d+ of 10000 codes were made, and are in codes.txt. The same command again/)
  const afterCut = linesOf(folder, 'codes.txt')
  expect(afterCut.length).toBeGreaterThanOrEqual(0.4 * COUNT)
  expect(afterCut.length).toBeLessThan(0.9 * COUNT)
  expect(await codesIn(world)).toEqual(afterCut)

  const killed = await inTerminal(keyed, { folder, env, at: 60, act: (terminal) => terminal.kill('SIGKILL') })
  expect(killed.signal).toBe(9)

  const done = await inTerminal(keyed, { folder, env })
  expect(done.exitCode).toBe(0)
  expect(done.seen).toContain('Wrote 10000 codes to codes.txt.')
  const codes = linesOf(folder, 'codes.txt')
  expect(codes.slice(0, afterCut.length)).toEqual(afterCut)
  expect(new Set(codes).size).toBe(COUNT)
  expect(await codesIn(world)).toEqual(codes)
}, 60_000)

/** Runs a command in a terminal, and does something to it once its bar shows so many percent. */
async function inTerminal(
  words: string[],
  {
    folder,
    env,
    at = 101,
    act,
  }: { folder: string; env: Record<string, string>; at?: number; act?: (terminal: IPty) => void },
) {
  const terminal = spawn(process.execPath, [BIN, ...words], { cwd: folder, env, cols: 120 })
  let seen = ''
  let acted = false
  terminal.onData((text) => {
    seen += text
    const percent = Number(/(\d+)%[^%]*$/.exec(seen)?.[1] ?? 0)
    if (acted || percent < at) return
    acted = true
    act?.(terminal)
  })
  const ended = await new Promise<{ exitCode: number; signal?: number }>((resolve) => terminal.onExit(resolve))
  return { ...ended, seen }
}

describe('a server on its bad days', () => {
  test('an answer that is lost on the way, after the codes were made, is asked for again: none is made twice', async () => {
    const world = await openTestGateway()
    const losing = await startLosing(world, [1, 3, 4, 6])
    const { folder, run } = await clientOf(world, losing)

    const words = ['redemption', 'create', '--name', 'lost', '--count', '450', '--output', 'codes.txt']
    expect(await run(words)).toMatchObject({ exitCode: 0, stderr: 'Wrote 450 codes to codes.txt.' })

    expect(await codesIn(world)).toEqual(linesOf(folder, 'codes.txt'))
    expect(await codesIn(world)).toHaveLength(450)
  })

  test('a server that stays away ends it, saying what was made, where, and how to go on', async () => {
    const world = await openTestGateway()
    const losing = await startLosing(
      world,
      Array.from({ length: 50 }, (_, at) => at + 4),
    )
    const { folder, env, run } = await clientOf(world, losing)

    const words = ['redemption', 'create', '--name', 'away', '--count', '450', '--output', 'codes.txt']
    const failed = await run(words)
    expect(failed.exitCode).toBe(1)
    const [, key = ''] =
      /^At least 200 of 450 codes were made, and those are in codes.txt. The same command with --idempotency-key (\S+) makes the rest/.exec(
        failed.stderr,
      ) ?? []
    const resumed = await run([...words, '--idempotency-key', key], { env: { ...env, TOLLGATE_SERVER: world.url } })
    expect(resumed).toMatchObject({ exitCode: 0 })
    expect(await codesIn(world)).toEqual(linesOf(folder, 'codes.txt'))
    expect((await codesIn(world)).length).toBe(450)
  }, 60_000)

  test('a server that counts too many calls is waited for as long as it says', async () => {
    const limited = {
      GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_API_RATE_LIMIT: '6',
      GLOBAL_API_RATE_LIMIT_DURATION: '1',
    }
    const world = await openTestGateway({ settings: limited })
    const { run } = await clientOf(world, world.url)

    const { exitCode, stdout, stderr } = await run(['redemption', 'create', '--name', 'many', '--count', '800'])

    expect([exitCode, stdout.split('\n').length]).toEqual([0, 800])
    expect(stderr).toContain('The server asks to wait 1 s before the next call.')
    expect(await codesIn(world)).toHaveLength(800)
  })
})

/** The gateway behind somebody who cuts the connection instead of passing on the answers to these makings of codes. */
async function startLosing({ url }: TestGateway, lost: number[]): Promise<string> {
  let makings = 0
  const server = createServer((asked, answer) => {
    const isMaking = asked.method === 'POST' && asked.url?.startsWith('/api/redemption/') === true
    const lose = isMaking && lost.includes(++makings)
    const passed = request(url + asked.url, { method: asked.method, headers: asked.headers }, (got) => {
      if (lose) return void got.resume().on('end', () => asked.socket.destroy())
      answer.writeHead(got.statusCode ?? 500, got.headers)
      got.pipe(answer)
    })
    asked.pipe(passed)
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}`
}
