import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../../core/version.ts'
import { shared, whenDone } from '../../support/lifetime.ts'
import { openBacking } from '../backings.ts'
import { createFolder, createWorld, environmentIn, freePort, runHere } from '../support.ts'

type Finding = { check: string; status: string; message: string; fix?: string }

describe('doctor and config, on a server', () => {
  const world = shared(() => openBacking('server'))
  const examine = async (env: Record<string, string>) => {
    const { stdout, exitCode } = await world().run(['doctor', '--json'], { env: { ...world().env, ...env } })
    const findings: Finding[] = JSON.parse(stdout)
    return { exitCode, of: (check: string) => findings.find((finding) => finding.check === check) }
  }

  test('doctor checks the connection: version, clock, user, and the database of the server', async () => {
    const { exitCode, of } = await examine({})
    expect(exitCode).toBe(0)
    expect(of('version')).toMatchObject({ status: 'ok', message: `${VERSION}, same as this program` })
    expect(of('signed in')).toMatchObject({ status: 'ok', message: 'as root (1), root' })
    for (const check of ['server', 'clock', 'database']) expect(of(check)).toMatchObject({ status: 'ok' })
    expect(of('data folder')).toBeUndefined()
  })

  test('doctor fails for an invalid token, and for an address without a server', async () => {
    const wrong = await examine({ TOLLGATE_TOKEN: 'nonsense' })
    expect(wrong.exitCode).toBe(1)
    expect(wrong.of('signed in')).toMatchObject({ status: 'fail', fix: expect.stringContaining('tollgate login') })
    const gone = await examine({ TOLLGATE_SERVER: `http://127.0.0.1:${await freePort()}` })
    expect(gone.exitCode).toBe(1)
    expect(gone.of('server')).toMatchObject({ status: 'fail' })
  })

  test('config shows the server and the source of its address, without the token', async () => {
    const rows: { name: string; value: string; origin: string }[] = await world().json('config')
    expect(Object.fromEntries(rows.map(({ name, value, origin }) => [name, [value, origin]]))).toMatchObject({
      SERVER: [world().url, 'environment'],
      TOKEN: ['(set)', 'environment'],
    })
    expect(JSON.stringify(rows)).not.toContain(world().env.TOLLGATE_TOKEN)
  })
})

test.each([
  ['0.1.0', -3600, 1, { version: 'fail', clock: 'warn' }],
  [VERSION.replace(/\d+$/, '99'), 3600, 0, { version: 'warn', clock: 'warn' }],
  ['99.0.0', 3600, 0, { version: 'warn', clock: 'warn' }],
])('doctor reports a server of version %s whose clock differs by %i s', async (version, ahead, exit, expected) => {
  const server = createServer((request, response) => {
    const data = request.url === '/api/status' ? { version } : { id: 2, username: 'ann', role: 1 }
    const date = new Date(Date.now() + ahead * 1000).toUTCString()
    response.writeHead(200, { date, 'content-type': 'application/json' })
    response.end(JSON.stringify({ success: true, message: '', data }))
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  whenDone(() => server.close())
  const folder = await createFolder()
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: `http://127.0.0.1:${port}`, TOLLGATE_TOKEN: 'x' }
  const { stdout, exitCode } = await runHere(['doctor', '--json'], { env, folder })
  const problems = (JSON.parse(stdout) as Finding[]).filter(({ status }) => status !== 'ok')
  expect({ exitCode, told: Object.fromEntries(problems.map(({ check, status }) => [check, status])) }).toEqual({
    exitCode: exit,
    told: expected,
  })
})

test('doctor reports that the address is correct if the server limits requests', async () => {
  const server = createServer((_request, response) => response.writeHead(429).end())
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  whenDone(() => server.close())
  const folder = await createFolder()
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: `http://127.0.0.1:${port}`, TOLLGATE_TOKEN: 'x' }
  const findings: Finding[] = JSON.parse((await runHere(['doctor', '--json'], { env, folder })).stdout)
  expect(findings.find(({ status }) => status === 'fail')?.fix).toMatch(/^The address is right: wait/)
})

test('doctor prints Chinese on a terminal, and not in a pipe', async () => {
  const world = await createWorld({}, { isEmpty: true })
  const env = { ...world.env, LANG: 'zh_CN.UTF-8' }
  expect((await world.run(['doctor'], { env })).stderr).toBe('全部检查通过。')
  const findings: Finding[] = JSON.parse((await world.run(['doctor', '--json'], { env })).stdout)
  expect(findings.map(({ check }) => check)).toContain('data folder')
})
