import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { REPLIES } from '../../../cli/remote/replies.ts'
import { VERSION } from '../../../core/version.ts'
import { shared, whenDone } from '../../support/lifetime.ts'
import { createFolder, createWorld, environmentIn } from '../support.ts'
import { GIVEN_BACK, KEY, openSession } from './terminal-session.ts'

const world = shared(createWorld)

describe('exit restores the terminal', () => {
  test('by Ctrl-C, also during code creation: exit code 130, with the number of codes and how to get them', async () => {
    const session = openSession(world())
    await session.sees('requests/min')
    await session.press('5', '── Codes')
    await session.press('a', 'New codes')
    await session.press(`half${KEY.tab.repeat(2)}${KEY.ctrlU}10000${KEY.ctrlS}`, /Creating codes: [1-9]\d*00 of 10000/)
    await session.press(KEY.ctrlC)
    const { printed, ...rest } = await session.left()
    expect({ ...rest, printed: '' }).toEqual({ ...GIVEN_BACK, exit: 130 })
    const [, made, key = ''] =
      /Created (\d+) of 10000 codes named half\..* --idempotency-key (\S+)/s.exec(printed) ?? []
    await world().inside(async ({ redemption }, root) => {
      expect((await redemption.list(root, { name: 'half', pageSize: 1 })).total).toBe(Number(made))
      const query = { name: 'half', quota: 100_000, total: 10_000, idempotencyKeys: [`${key}#1`] }
      expect((await redemption.findCreated(root, query)).codes).toHaveLength(100)
    })
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s: exit code %i', async (signal, exit) => {
    const session = openSession(world())
    await session.sees('requests/min')
    session.kill(signal)
    expect(await session.left()).toEqual({ ...GIVEN_BACK, exit })
  })
})

test('an exception of one screen does not affect others: a server with invalid replies breaks no other screen', async () => {
  const server = await nonsense()
  const folder = await createFolder()
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: server, TOLLGATE_TOKEN: 'any' }
  const session = openSession({ env, folder })
  await session.sees('── Overview')
  await session.press('6', 'This screen failed. The others still work.', 'Reason: ')
  expect(session.picture()).not.toMatch(/ at .*\.js/)
  await session.press('7', '── Options')
  await session.press('q')
  expect(await session.left()).toEqual({ ...GIVEN_BACK, exit: 0 })
})

test.each([
  [['ui'], 'no terminal: tollgate ui'],
  [['ui', '--json'], '--json cannot be used with the terminal UI'],
])('%j without a terminal is a usage error', async (words, hint) => {
  const { stdout, stderr, exitCode } = await world().run(words)
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 })
  expect(stderr).toContain(hint)
})

/** Answers every list with a row that is hardly one. */
async function nonsense(): Promise<string> {
  const onesFor = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, 1]))
  const rowFields = Object.values(REPLIES).flatMap((shape) =>
    typeof shape === 'object' && 'page' in shape ? shape.page : [],
  )
  const server = createServer(({ url = '' }, response) => {
    const data = url.startsWith('/api/user/identity')
      ? { id: 1, username: 'root', role: 100 }
      : url.startsWith('/api/status')
        ? onesFor(REPLIES['GET /api/status'])
        : { items: [onesFor(rowFields)], total: 1, page: 1, page_size: 100 }
    response.setHeader('content-type', 'application/json')
    response.setHeader('tollgate-version', VERSION)
    response.end(JSON.stringify({ success: true, message: '', data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
