import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { announce } from '../../cli/commands/serve/announcement.ts'
import { startSimulatedUpstream } from '../../server/demo/upstream.ts'
import { shared, whenDone } from '../support/lifetime.ts'
import { cliForReading } from './reference/command-line.ts'
import { CHANNEL, createWorld, untilAnswering } from './support.ts'

/** Starts a gateway; it is stopped when the test, or the group of tests that shares it, ends. */
async function serving(settings: Record<string, string> = {}, ...flags: string[]) {
  const world = await createWorld({ STOP_GRACE: '1', LOG_LEVEL: 'warn', ...settings }, { isEmpty: true })
  const gateway = world.start(['serve', ...flags])
  whenDone(async () => {
    gateway.kill('SIGTERM')
    await gateway
  })
  let output = ''
  gateway.stdout?.on('data', (chunk) => {
    output += chunk
  })
  await untilAnswering(world.url).catch(async (error) => {
    gateway.kill('SIGKILL')
    throw new Error(`${error.message}: ${(await gateway).stderr}`)
  })
  const printed = async (text: string) => {
    while (!output.includes(text)) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { world, gateway, printed }
}

describe('serve', () => {
  const running = shared(() => serving())

  test('reads the root password', async () => {
    const { world } = running()
    const login = await fetch(`${world.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'root', password: world.env.ROOT_PASSWORD }),
    })
    expect(await login.json()).toMatchObject({ success: true })
  })

  test('is rejected if the port is in use, with one line, and creates no database', async () => {
    const { world } = running()
    const other = await createWorld({ PORT: String(world.env.PORT) }, { isEmpty: true })
    const refused = await Promise.all([[], ['--workers', '2']].map((flags) => other.run(['serve', ...flags])))
    for (const { stdout, stderr, exitCode } of refused) {
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 })
      expect(stderr).toMatch(new RegExp(`^error: port ${world.env.PORT} on 127.0.0.1 is in use.*$`))
    }
    expect(existsSync(other.databaseFile)).toBe(false)
  })

  test('applies writes of another command immediately', async () => {
    const { world } = running()
    const { key } = await world.json('token', 'create', 'app')
    const models = await fetch(`${world.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect(models.status).toBe(200)
  })

  test('prints its address, no operator password, and exits 0 on SIGTERM', async () => {
    const { world, gateway } = running()
    gateway.kill('SIGTERM')
    const { stdout, exitCode } = await gateway
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(new RegExp(`Console +${world.url}\\n`))
    expect(stdout).toMatch(new RegExp(`Listening on +127.0.0.1:${world.env.PORT}\\n`))
    expect(stdout).not.toContain('root-password')
  })

  test('prints a generated password on its first start only', async () => {
    const { world, gateway } = await serving({ ROOT_PASSWORD: '' })
    gateway.kill('SIGTERM')
    const [, password = ''] = /with the password (\w+) \(shown only once\)/.exec(String((await gateway).stdout)) ?? []
    await world.inside((toolkit) => toolkit.accounts.login({ username: 'root', password }))
    const again = world.start(['serve'])
    await untilAnswering(world.url)
    again.kill('SIGTERM')
    expect((await again).stdout).toMatch(/Sign in +root\n/)
  })

  test('--port and --host override the environment; it exits 0 on SIGINT', async () => {
    const world = await createWorld({ PORT: '1', LOG_LEVEL: 'warn' })
    const { env } = await createWorld()
    const gateway = world.start(['serve', '--port', env.PORT, '--json'])
    await untilAnswering(`http://127.0.0.1:${env.PORT}`)
    gateway.kill('SIGINT')
    const { stdout, exitCode } = await gateway
    expect(exitCode).toBe(0)
    expect(JSON.parse(String(stdout))).toMatchObject({ url: `http://127.0.0.1:${env.PORT}`, username: 'root' })
  })
})

test.each([
  ['0.0.0.0', 'Listening on   0.0.0.0:3000, all addresses of this machine (local only: --host 127.0.0.1)'],
  ['::', 'Listening on   [::]:3000, all addresses'],
  ['::1', 'Listening on   [::1]:3000\n'],
])('serve on %s prints who can reach it', (host, said) => {
  const written: string[] = []
  announce(
    { ...cliForReading(), write: (line) => void written.push(line) },
    { host, port: 3000, username: 'root', password: undefined },
  )
  expect(written.join('')).toContain(said)
})

describe('a stream that is open when the gateway is stopped', () => {
  test('is completed and charged, and then the gateway exits 0', async () => {
    const { world, gateway, stream } = await streaming({ tokensPerSecond: 40, workers: '1' })
    gateway.kill('SIGTERM')
    expect(await stream.text()).toContain('data: [DONE]')
    expect((await gateway).exitCode).toBe(0)
    expect((await world.json('log', 'list', '--type', 'consumption')).total).toBe(1)
    expect((await world.run(['ledger', 'verify'])).exitCode).toBe(0)
  })

  test.each(['1', '2'])('is aborted by a second Ctrl-C: exit code 130 (%s workers)', async (workers) => {
    const { gateway, stream } = await streaming({ tokensPerSecond: 1, workers })
    const cut = stream.text().catch(() => 'cut')
    gateway.kill('SIGINT')
    // Two at once are one Ctrl-C that was passed on: it takes another moment to mean impatience.
    await new Promise((resolve) => setTimeout(resolve, 700))
    gateway.kill('SIGINT')
    expect((await gateway).exitCode).toBe(130)
    expect(await cut).not.toContain('[DONE]')
  })

  async function streaming({ tokensPerSecond, workers }: { tokensPerSecond: number; workers: string }) {
    const upstream = await startSimulatedUpstream({ tokensPerSecond })
    onTestFinished(() => upstream.close())
    const { world, gateway } = await serving({ STOP_GRACE: '20', WORKERS: workers })
    const key = await world.inside(async ({ channels, tokens }, root) => {
      await channels.create(root, { ...CHANNEL, base_url: upstream.url })
      return (await tokens.create(root, { name: 'app', unlimited_quota: true })).key
    })
    const stream = await untilStreaming(world.url, key)
    return { world, gateway, stream }
  }

  /** A new channel is live within a second. */
  async function untilStreaming(url: string, key: string): Promise<Response> {
    for (let turns = 0; turns < 200; turns++) {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
      })
      if (response.ok) return response
      await response.text()
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error('the new channel was never served')
  }
})

describe('serve with workers', () => {
  test('no request fails while SIGHUP replaces all workers, one by one', async () => {
    const upstream = await startSimulatedUpstream({ tokensPerSecond: 10_000 })
    onTestFinished(() => upstream.close())
    const { world, gateway, printed } = await serving({ STOP_GRACE: '5' }, '--workers', '2')
    await printed('Tollgate is running')
    const key = await world.inside(async ({ channels, tokens }, root) => {
      await channels.create(root, { ...CHANNEL, base_url: upstream.url })
      return (await tokens.create(root, { name: 'app', unlimited_quota: true })).key
    })
    const before = await workersOf(gateway.pid, 2)
    const ask = chatClient(`${world.url}/v1/chat/completions`, key)
    await expect.poll(ask).toBe(200)
    const outcomes = new Map<number | string, number>()
    let done = false
    const clients = Array.from({ length: 6 }, async () => {
      while (!done) {
        const outcome = await ask()
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        // Clients without a pause would take the processors that the new workers need to start.
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })

    gateway.kill('SIGHUP')
    const after = await workersOf(gateway.pid, 2, ...before).finally(() => {
      done = true
    })
    await Promise.all(clients)

    expect([...outcomes.keys()]).toEqual([200])
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
  })

  test('replaces a worker that dies, and exits 0 after all have stopped', async () => {
    const { world, gateway, printed } = await serving({}, '--workers', '2')
    await printed('Tollgate is running')
    const [victim = 0, ...others] = await workersOf(gateway.pid, 2)
    process.kill(victim, 'SIGKILL')
    const after = await workersOf(gateway.pid, 2, victim)
    expect(after).toEqual(expect.arrayContaining(others))
    await untilAnswering(world.url)
    gateway.kill('SIGTERM')
    const { exitCode, stdout } = await gateway
    expect(exitCode).toBe(0)
    expect(String(stdout).match(/Console/g)).toHaveLength(1)
    for (const pid of after) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('with a wrong secret is one line and exit code 1', async () => {
    const world = await createWorld({ WORKERS: '2' })
    await world.run(['user', 'list'])
    const env = { ...world.env, TOLLGATE_SECRET: 'another-secret-another-secret' }
    const { stderr, exitCode } = await world.run(['serve'], { env })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: the master key \(TOLLGATE_SECRET.*$/)
  })
})

/** Sends chat requests over kept-alive connections. Returns the status, or the code of a broken connection. */
function chatClient(url: string, key: string): () => Promise<number | string> {
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 2 })
  return () =>
    new Promise((resolve) => {
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
        response.once('error', ({ message }) => resolve(message))
      })
      sent.once('error', (error) => resolve((error as { code?: string }).code ?? error.message))
      sent.end(body)
    })
}

/** Waits until a process has so many children, these ones gone, and answers their ids. */
async function workersOf(pid: number | undefined, count: number, ...gone: number[]): Promise<number[]> {
  // Reading all processes takes as much time as a worker needs: seldom, and not after the test.
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  for (let turns = 0; turns < 400 && !isOver; turns++) {
    const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
    const children = rows
      .map((row) => row.trim().split(/\s+/))
      .filter(([, parent, state]) => Number(parent) === pid && !state?.startsWith('Z'))
      .map(([child]) => Number(child))
    if (children.length === count && !children.some((child) => gone.includes(child))) return children
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error(`process ${pid} never had ${count} workers`)
}
