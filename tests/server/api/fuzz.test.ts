import { beforeEach, describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { type ApiAnswer, openApi } from '../../support/api.ts'
import { openTestGateway, type TestGateway } from '../../support/gateway.ts'
import { createHostile, type Known, type RawRequest } from '../../support/hostile.ts'
import { stayOnThisMachine } from '../../support/network.ts'
import { CLOSED_ADDRESS, type Operation, readOperations } from '../../support/operations.ts'
import { seeded } from '../../support/seeded.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

/** Another run: FUZZ_SEED=7 npx vitest …, a longer one, as after changes to many routes: FUZZ_TIMES=10. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_240_601)
const TIMES = Number(process.env.FUZZ_TIMES ?? 1)
/** Callers delete themselves and lose their rights, rows are deleted: so often there are new ones. */
const RENEWED_EVERY = 200
const CHANNEL_MARK = 'sk-channel-mark-5f2c'
const OPTION_MARK = 'option-mark-9a1b'
const LEAKS = new RegExp(
  [CHANNEL_MARK, OPTION_MARK, '\\$argon2', '\\n\\s+at ', 'node_modules', 'SQLITE_', '/core/'].join('|'),
)
const PROVIDERS = {
  GITHUB_URL: CLOSED_ADDRESS,
  GITHUB_API_URL: CLOSED_ADDRESS,
  LINUXDO_URL: CLOSED_ADDRESS,
  TURNSTILE_URL: CLOSED_ADDRESS,
} as const

type Headers = Record<string, string>
/** The credentials that a caller sends. Each call creates a new session: a request may have ended the last one. */
type Caller = () => Headers | Promise<Headers>
interface Callers {
  anyone: Caller[]
  user: Caller[]
  admin: Caller[]
  root: Caller[]
}

/** Mails and payments are set up, with no server at the addresses. */
const SET_UP = {
  SMTPServer: '127.0.0.1',
  SMTPPort: '9',
  SMTPAccount: 'gateway@example.org',
  SMTPToken: OPTION_MARK,
  PayAddress: CLOSED_ADDRESS,
  EpayId: '1000',
  EpayKey: OPTION_MARK,
} as const

/** Callers who are signed in, by session or access token, and some who are not. */
async function createCallers(fixture: TestGateway): Promise<Callers> {
  const { sessions, accessTokens } = fixture.toolkit
  const [common, manager, scripted] = await Promise.all([
    fixture.user({ quota: 1e9 }),
    fixture.user({ role: ROLE.admin, quota: 1e9 }),
    fixture.user(),
  ])
  const bySession =
    ({ id }: { id: number }) =>
    async () => ({
      cookie: `session=${await sessions.create(id)}`,
      'tollgate-user': String(id),
    })
  const { key } = await fixture.token(common)
  await fixture.charge(common, { quota: 1000 })
  const script = { authorization: await accessTokens.create(scripted), 'tollgate-user': String(scripted.id) }
  const strange = { authorization: 'Bearer \u00ff', cookie: 'session=%00; session=', 'tollgate-user': '1e308' }
  const strangers: Caller[] = [() => ({}), () => ({ authorization: `Bearer sk-${key}` }), () => strange]
  const user: Caller[] = [bySession(common), () => script]
  const admin: Caller[] = [bySession(manager)]
  const root: Caller[] = [bySession(fixture.root)]
  return {
    anyone: [...strangers, ...user, ...admin, ...root],
    user: [...user, ...admin, ...root],
    admin: [...admin, ...root],
    root,
  }
}

/** Remembers ids and texts of an answer, so that later requests can name them. */
function learn(known: Known, data: unknown): void {
  for (const value of [data, (data as { items?: unknown } | undefined)?.items].flat()) {
    const { id, key } = (typeof value === 'object' && value !== null ? value : {}) as { id?: unknown; key?: unknown }
    if (typeof id === 'number') known.ids.push(id)
    for (const text of [value, key]) if (typeof text === 'string') known.texts.push(text)
  }
  known.ids.splice(0, known.ids.length - REMEMBERED)
  known.texts.splice(0, known.texts.length - REMEMBERED)
}
const REMEMBERED = 12

/** Rows of each kind, for the ids that requests name. */
async function addRows(fixture: TestGateway): Promise<void> {
  await fixture.channel({ key: CHANNEL_MARK, base_url: CLOSED_ADDRESS, tag: 'red' })
  await fixture.token(fixture.root)
  await fixture.code(1000)
}

/** Why that answer must not be; undefined when it may. */
function fault({ path }: RawRequest, { status, text, body }: ApiAnswer): string | undefined {
  const error = body.error as { code?: string } | undefined
  // The relay passes on what its upstream did.
  const relayed = path.startsWith('/pg/') && error?.code !== undefined && error.code !== 'internal_error'
  if (status >= 500 && !relayed) return `is a defect: ${status} ${text.slice(0, 500)}`
  return LEAKS.test(text) ? `tells what it must not: ${text.slice(0, 500)}` : undefined
}

/** Sends each operation so many requests, by turns. Answers what must not have been answered, once for each operation and fault. */
async function fuzz(fixture: TestGateway, { seed, rounds }: { seed: number; rounds: number }): Promise<string[]> {
  for (const [key, value] of Object.entries(SET_UP)) await fixture.toolkit.options.set(fixture.root, key, value)
  const api = openApi(fixture)
  const operations = (await readOperations(fixture.url)).filter(
    ({ access, path }) => access !== undefined || /^\/pg|billing/.test(path),
  )
  const known: Known = { ids: Array.from({ length: REMEMBERED }, (_, row) => row + 1), texts: ['x'] }
  const hostile = createHostile(seeded(seed), { known, optionKeys: Object.keys(OPTIONS) })
  const failures = new Map<string, string>()
  let callers = await createCallers(fixture)
  for (let row = 0; row < REMEMBERED; row++) await addRows(fixture)
  let turn: Operation[] = []
  for (let number = 0; number < rounds * operations.length; number++) {
    if (number % RENEWED_EVERY === RENEWED_EVERY - 1) {
      callers = await createCallers(fixture)
      await addRows(fixture)
    }
    if (turn.length === 0) turn = [...operations]
    const operation = hostile.pick(turn)
    turn.splice(turn.indexOf(operation), 1)
    const request = hostile.request(operation)
    const { access = 'anyone' } = operation
    const kind = access === 'session' || access === 'bearer' || hostile.pick([true, false, false]) ? 'anyone' : access
    const caller = await hostile.pick(callers[kind])()
    const headers = { ...request.headers, ...caller }
    const wrong = await api
      .anonymous()
      .send(request.method, request.path, request.body, headers)
      .then(
        (answer) => {
          learn(known, answer.body.data)
          return fault(request, answer)
        },
        (error: Error) => error.message,
      )
    if (!wrong) continue
    const requestText = JSON.stringify({ ...request, headers, body: request.body?.slice(0, 1000) })
    const key = `${operation.method} ${operation.path} ${wrong.slice(0, 20)}`
    if (!failures.has(key))
      failures.set(key, `FUZZ_SEED=${seed}, request ${number}: ${wrong}\n${requestText.slice(0, 2000)}`)
  }
  return [...failures.values()]
}

describe.each([
  { database: 'sqlite', rounds: 10 * TIMES },
  { database: 'postgres', rounds: 3 * TIMES },
] as const)('$rounds invalid requests to each route, on $database', ({ database, rounds }) => {
  if (database === 'postgres') beforeEach(skipWithoutPostgres)

  test(`break nothing, reveal no secret, and get the replies of the OpenAPI document (FUZZ_SEED=${SEED})`, {
    timeout: 480_000 * TIMES,
  }, async () => {
    stayOnThisMachine()
    const fixture = await openTestGateway({ database, settings: PROVIDERS })

    const wrong = await fuzz(fixture, { seed: SEED, rounds })

    expect(wrong).toEqual([])
    const client = await openApi(fixture).as(fixture.root)
    expect((await client.get('/api/status')).body.success).toBe(true)
    expect((await client.get('/api/user/self')).body.data).toMatchObject({ id: fixture.root.id, role: ROLE.root })
    await fixture.charge(await fixture.user({ quota: 500 }), { quota: 7 })
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
    expect(fixture.failures).toEqual([])
  })
})
