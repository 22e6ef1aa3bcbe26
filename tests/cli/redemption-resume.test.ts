import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { describe, expect, test } from 'vitest'
import { startCutting } from '../support/cutting-proxy.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit, type TestToolkit } from '../support/toolkit.ts'
import { interrupted } from './interrupted.ts'
import { BIN, commandsIn, createFolder, environmentIn } from './support.ts'

const COUNT = 10_000

/** A command line that is signed in to that server as root. */
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

test('10 000 codes through a server, interrupted by Ctrl-C and SIGKILL, are 10 000 in the end, also in the file', async () => {
  const world = await openTestToolkit()
  const { url } = await startServer(world)
  const { folder, env } = await clientOf(world, url)
  const words = ['redemption', 'create', '--name', 'launch', '--quota', '500', '--count', String(COUNT)]
  const keyed = [...words, '--idempotency-key', 'launch-1', '--output', 'codes.txt']

  const cut = await inTerminal(keyed, { folder, env, at: 40, act: (terminal) => terminal.write('\u0003') })
  expect(cut.exitCode).toBe(130)
  expect(cut.seen).toMatch(/Creating codes █+░+ \d+\/10000 [4-8]\d%/)
  expect(cut.seen).toMatch(
    /interrupted: \d+ of 10000 codes created, written to codes.txt. To create the rest, run the same command again/,
  )
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
}, 180_000)

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

describe('an unreliable server', () => {
  test('a lost reply after the codes were created is retried: no code is created twice', async () => {
    const world = await openTestGateway()
    const losing = await startLosing(world, [1, 3, 4, 6])
    const { folder, run } = await clientOf(world, losing)

    const words = ['redemption', 'create', '--name', 'lost', '--count', '450', '--output', 'codes.txt']
    expect(await run(words)).toMatchObject({ exitCode: 0, stderr: 'Wrote 450 codes to codes.txt.' })

    expect(await codesIn(world)).toEqual(linesOf(folder, 'codes.txt'))
    expect(await codesIn(world)).toHaveLength(450)
  })

  test('an unavailable server ends the command, with the created codes, their file, and how to continue', async () => {
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
      /^At least 200 of 450 codes created, written to codes.txt. To create the rest, add --idempotency-key (\S+) to the command/.exec(
        failed.stderr,
      ) ?? []
    const resumed = await run([...words, '--idempotency-key', key], { env: { ...env, TOLLGATE_SERVER: world.url } })
    expect(resumed).toMatchObject({ exitCode: 0 })
    expect(await codesIn(world)).toEqual(linesOf(folder, 'codes.txt'))
    expect((await codesIn(world)).length).toBe(450)
  }, 180_000)

  test('with --json the error has the created codes and the key to continue with, also after SIGTERM', async () => {
    const world = await openTestGateway()
    const losing = await startLosing(
      world,
      Array.from({ length: 50 }, (_, at) => at + 3),
    )
    const { folder, env, run } = await clientOf(world, losing)
    const words = ['redemption', 'create', '--name', 'json', '--count', '450', '--json']
    const job = interrupted({ folder, env }, words, { signal: 'SIGTERM' })
    await expect.poll(async () => (await codesIn(world)).length).toBeGreaterThanOrEqual(200)
    const { exitCode, stdout, stderr } = await job.interrupt()

    expect(exitCode).toBe(130)
    const { error } = JSON.parse(stderr)
    expect(error).toMatchObject({ code: 'INTERRUPTED', made: 100, idempotency_key: expect.stringMatching(/^cli-/) })
    const there = JSON.parse(stdout)
    expect(there).toHaveLength(100)

    // What was deleted since is answered too, and said.
    const [first, second] = (await world.toolkit.redemption.list(world.root)).items.slice(-2)
    await world.toolkit.redemption.redeem(world.root, first?.key ?? '')
    await world.toolkit.redemption.delete(world.root, second?.id ?? 0)
    const resumed = await run([...words, '--idempotency-key', error.idempotency_key], {
      env: { ...env, TOLLGATE_SERVER: world.url },
    })
    expect(resumed.exitCode).toBe(0)
    expect(resumed.stderr).toBe('Of the codes created with this key, 1 are used, 0 are disabled and 1 are deleted.')
    expect(JSON.parse(resumed.stdout)).toEqual(await codesIn(world))
  })

  test('a completed write does not fail because a later read fails', async () => {
    const world = await openTestGateway()
    let cutting = false
    const url = await startCutting(world, (call) => {
      if (!cutting && !call.startsWith('GET')) cutting = true
      else return cutting && call.startsWith('GET')
      return false
    })
    const { run } = await clientOf(world, url)
    const [code = ''] = await world.toolkit.redemption.create(world.root, { name: 'one', quota: 500_000, count: 1 })
    const ann = await world.user()
    for (const [words, said, json] of [
      [['wallet', 'redeem', code], 'Added 500000 ($1.00).', undefined],
      [['user', 'set-quota', ann.username, '70'], 'has 70 ($0.00014).', { username: ann.username, quota: 70 }],
      [['user', 'set-quota', ann.username, '+7'], 'has 77 ($0.000154).', { username: ann.username, quota: 84 }],
      [['user', 'update', ann.username, '--group', 'vip'], 'Updated user', { username: ann.username, group: 'vip' }],
      [['option', 'set', 'SystemName', 'Gate'], 'Set SystemName to Gate', { value: 'Gate' }],
    ] as const) {
      cutting = false
      const { exitCode, stderr } = await run(words)
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(said) })
      if (json === undefined) continue
      cutting = false
      const forPrograms = await run([...words, '--json'])
      expect(forPrograms.exitCode).toBe(0)
      expect(JSON.parse(forPrograms.stdout)).toMatchObject(json)
    }
  })

  test('a balance change whose reply is lost is retried, and applied once', async () => {
    const world = await openTestGateway()
    let left = 0
    const url = await startCutting(world, (call) => /^POST .*(quota|aff_transfer)$/.test(call) && left-- > 0)
    const { env, run } = await clientOf(world, url)
    const ann = await world.user({ quota: 100 })
    await world.toolkit.db.transaction((trx) => trx('users').where({ id: 1 }).update({ aff_quota: 1_000_000 }))
    const before = await world.balance(world.root)

    left = 2
    expect(await run(['user', 'set-quota', ann.username, '+7'])).toMatchObject({ exitCode: 0 })
    expect(await world.balance(ann)).toBe(107)
    left = 2
    expect(await run(['wallet', 'transfer', '500000'])).toMatchObject({ exitCode: 0 })
    expect(await world.balance(world.root)).toBe(before + 500_000)

    left = 100
    const words = ['user', 'set-quota', ann.username, '-50']
    const failed = await run(words)
    expect(failed.exitCode).toBe(1)
    const [, key = ''] =
      /The change may have succeeded\. To retry without repeating the change, add --idempotency-key (\S+) to the command/.exec(
        failed.stderr,
      ) ?? []
    expect(await world.balance(ann)).toBe(57)
    const again = await run([...words, '--idempotency-key', key, '--json'])
    expect(JSON.parse(again.stderr).error).toMatchObject({ idempotency_key: key })
    const there = await run([...words, '--idempotency-key', key], { env: { ...env, TOLLGATE_SERVER: world.url } })
    expect(there).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('has 57') })
  })

  test('an edit of options whose reply is lost is reported as unknown, not as unsaved', async () => {
    const world = await openTestGateway()
    const url = await startCutting(world, (call) => call.startsWith('PUT '))
    const { env, run } = await clientOf(world, url)
    const EDITOR = "sed -i 's/^RetryTimes: .*/RetryTimes: 3/'"

    const { exitCode, stderr } = await run(['option', 'edit', 'RetryTimes', '--yes'], { env: { ...env, EDITOR } })

    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/It is unknown whether the options were saved\. Your text is in \S+options\.yaml/)
    expect(stderr).not.toContain('Nothing was saved')
    expect(await world.toolkit.options.read(world.root, 'RetryTimes')).toBe('3')
  })

  test('several items wait at the rate limit, and after SIGHUP the number of completed items is printed', async () => {
    const limited = {
      GLOBAL_API_RATE_LIMIT_ENABLE: 'true',
      GLOBAL_API_RATE_LIMIT: '10',
      GLOBAL_API_RATE_LIMIT_DURATION: '60',
    }
    const world = await openTestGateway({ settings: limited })
    const { folder, env } = await clientOf(world, world.url)
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      ids.push(String((await world.toolkit.tokens.create(world.root, { name })).id))
    }
    const job = interrupted({ folder, env }, ['token', 'delete', ...ids, '--yes', '--json'], { signal: 'SIGHUP' })
    await job.until((_, stderr) => /The server asks to wait \d+ s/.test(stderr))
    const { exitCode, stdout, stderr } = await job.interrupt()
    const { deleted } = JSON.parse(stdout)
    expect(exitCode).toBe(130)
    expect(stderr).toContain(`interrupted: ${deleted.length} of 6 done`)
    expect(deleted.map(String)).toEqual(ids.slice(0, deleted.length))
    expect((await world.toolkit.tokens.list(world.root)).total).toBe(6 - deleted.length)
  })

  test('a server that limits requests is retried after the announced time', async () => {
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

/** The gateway behind a proxy that cuts the connection instead of passing on the replies to these requests for codes. */
async function startLosing(world: TestGateway, lost: number[]): Promise<string> {
  let makings = 0
  return startCutting(world, (call) => call.startsWith('POST /api/redemption/') && lost.includes(++makings))
}
