import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { type Api, type ApiClient, openApi } from '../../support/api.ts'
import { expectNothingHeld } from '../../support/books.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { stayOnThisMachine } from '../../support/network.ts'
import { NO_ID, type Operation, plausibleRequest, readOperations } from '../../support/operations.ts'
import { reused } from '../../support/reused.ts'
import type { Person } from '../../support/toolkit.ts'
import { nameOf } from './calls.ts'

const openGateway = reused()

/** What B's rows carry, wherever a text fits. */
const OF_B = 'B-secret'
/** The operator's own: administrators see it, users do not. */
const CHANNEL_NAME = 'channel-name-4711'
/** Never in a reply, to any caller. */
const NEVER = { channelKey: 'sk-channel-secret-4711', option: 'option-secret-4711', passwordHash: '$argon2' }

interface Fixture extends TestGateway {
  api: Api
  operations: Operation[]
  a: Person
  b: Person
  admin: Person
  /** The ids of B's rows of each kind, and its own. */
  idsOfB: number[]
  /** B's credentials: for B alone. */
  credentialsOfB: string[]
  credentialsOfA: string[]
}

async function openFixture(): Promise<Fixture> {
  stayOnThisMachine()
  const fixture = await openGateway()
  const { toolkit, root } = fixture
  // The site key is hidden with the rest by its name, but the sign-in page must show it.
  const hidden = Object.values(OPTIONS).filter(({ key, secret }) => secret && key !== 'TurnstileSiteKey')
  for (const { key } of hidden) await toolkit.options.set(root, key, NEVER.option)
  const [a, b, admin] = [
    await fixture.user(),
    await fixture.user({ quota: 1e6 }),
    await fixture.user({ role: ROLE.admin }),
  ]
  const channel = await fixture.channel({ name: CHANNEL_NAME, key: NEVER.channelKey, base_url: 'http://127.0.0.1:9' })
  const [ofA, ofB] = [await fixture.token(a), await fixture.token(b, { name: `${OF_B}-token` })]
  await fixture.charge(b, {
    quota: 1000,
    tokenId: ofB.id,
    tokenName: ofB.name,
    channelId: channel.id,
    modelName: `${OF_B}-model`,
    content: `${OF_B}-content`,
    other: JSON.stringify({ note: `${OF_B}-other`, admin_info: { use_channel: ['7'] } }),
  })
  const code = await fixture.code(1000)
  await toolkit.redemption.create(root, { name: `${OF_B}-code`, quota: 5, count: 1 })
  await toolkit.db.transaction(async (trx) => {
    await trx('users')
      .where({ id: b.id })
      .update({
        email: `${OF_B}@example.org`,
        display_name: `${OF_B}-name`,
        aff_code: `${OF_B}-invite`,
        github_id: `${OF_B}-github`,
        wechat_id: `${OF_B}-wechat`,
        telegram_id: `${OF_B}-telegram`,
        linux_do_id: `${OF_B}-linuxdo`,
        oidc_id: `${OF_B}-oidc`,
        inviter_id: root.id,
      })
    const of = { user_id: b.id, channel_id: channel.id, status: 'SUCCESS', submit_time: 1, quota: 5 }
    await trx('midjourneys').insert({
      ...of,
      mj_id: `${OF_B}-drawing`,
      prompt: `${OF_B}-prompt`,
      image_url: OF_B,
      progress: '100%',
    })
    await trx('tasks').insert({ ...of, task_id: `${OF_B}-task`, data: JSON.stringify([OF_B]), created_at: 1 })
    await trx('top_ups').insert({ user_id: b.id, amount: 1, money: 7.3, trade_no: `${OF_B}-order`, status: 'pending' })
    await trx('payment_callbacks').insert({
      trade_no: `${OF_B}-order`,
      params: `{"x":"${OF_B}"}`,
      verdict: 'refused',
      created_at: 1,
    })
  })
  return {
    ...fixture,
    a,
    b,
    admin,
    api: openApi(fixture),
    operations: (await readOperations(fixture.url)).filter(({ access }) => access !== undefined),
    idsOfB: [b.id, ofB.id, 1, 2],
    credentialsOfA: [ofA.key, await toolkit.accessTokens.create(a)],
    credentialsOfB: [ofB.key, await toolkit.accessTokens.create(b), code],
  }
}

/** They end the session, or void the access token that is being looked for. */
const NOT_WALKED = new Set(['GET /api/user/logout', 'GET /api/user/token'])

/** Every GET there is: bare, with each filter that could ask for B's rows, and with B's ids in the path. */
function reads({ operations, b, idsOfB }: Fixture): { name: string; path: string }[] {
  return operations
    .filter((operation) => operation.method === 'GET' && !NOT_WALKED.has(nameOf(operation)))
    .flatMap((operation) => {
      const name = nameOf(operation)
      if (operation.path.includes('{'))
        return idsOfB.map((id) => ({ name, path: plausibleRequest(operation, id).path }))
      const now = Math.floor(Date.now() / 1000)
      const times = [`start_timestamp=${now - 3600}&end_timestamp=${now + 3600}`, 'start_timestamp=0']
      const filters = [
        `keyword=${OF_B.slice(0, 4)}`,
        `username=${b.username}`,
        `user_id=${b.id}`,
        'type=2',
        'p=0',
        'p=1',
      ]
      return ['', ...filters, ...times].map((query) => ({
        name,
        path: `${operation.path}?page_size=100&size=100&${query}`,
      }))
    })
}

/** Calls all reads as a client. Returns the replies by call. */
async function walk(fixture: Fixture, client: () => Promise<ApiClient>): Promise<{ name: string; text: string }[]> {
  const replies: { name: string; text: string }[] = []
  for (const { name, path } of reads(fixture)) {
    const { text, headers } = await (await client()).get(path)
    replies.push({ name, text: text + JSON.stringify([...headers]) })
  }
  return replies
}

/** Which calls told one of these. */
const telling = (told: { name: string; text: string }[], marks: string[]): string[] => [
  ...new Set(
    told.flatMap(({ name, text }) =>
      marks.filter((mark) => text.includes(mark)).map((mark) => `${name} tells ${mark}`),
    ),
  ),
]

describe('all read calls', () => {
  test('show a stranger and another user nothing of B', { timeout: 180_000 }, async () => {
    const fixture = await openFixture()
    const { api, a } = fixture
    const marks = [OF_B, CHANNEL_NAME, fixture.b.username, ...fixture.credentialsOfB, ...Object.values(NEVER)]

    const toNobody = await walk(fixture, async () => api.anonymous())
    const toA = await walk(fixture, () => api.as(a))

    expect(telling(toNobody, [...marks, ...fixture.credentialsOfA])).toEqual([])
    expect(telling(toA, marks)).toEqual([])
  })

  test('show B only its own data, and no secret of the operator', { timeout: 180_000 }, async () => {
    const fixture = await openFixture()
    const [key = ''] = fixture.credentialsOfB

    const replies = await walk(fixture, () => fixture.api.as(fixture.b))

    expect(telling(replies, [...Object.values(NEVER), CHANNEL_NAME, ...fixture.credentialsOfA])).toEqual([])
    const everything = replies.map(({ text }) => text).join('\n')
    const marks = ['token', 'content', 'model', 'name', 'invite', 'github', 'prompt', 'drawing', 'task']
    expect(marks.filter((what) => !everything.includes(`${OF_B}-${what}`))).toEqual([])
    expect(everything).toContain(key)
    expect(everything).not.toContain('admin_info')
  })

  test.each(['admin', 'root'] as const)(
    'show %s data of all users, and no key or password',
    { timeout: 180_000 },
    async (who) => {
      const fixture = await openFixture()
      const person = fixture[who]
      const [keyOfB = '', accessTokenOfB = ''] = fixture.credentialsOfB

      const replies = await walk(fixture, () => fixture.api.as(person))

      const secrets = [...Object.values(NEVER), keyOfB, accessTokenOfB, ...fixture.credentialsOfA]
      expect(telling(replies, secrets)).toEqual([])
      const everything = replies.map(({ text }) => text).join('\n')
      const others = ['content', 'model', 'prompt', 'task', 'name', 'code']
      expect(others.filter((what) => !everything.includes(`${OF_B}-${what}`))).toEqual([])
    },
  )
})

/** The stored rows of a user, without what a walk itself changes. */
async function rowsOf({ toolkit }: TestGateway, { id }: Person): Promise<unknown> {
  const { reader } = toolkit.db
  const rowsIn = async (table: string) => reader(table).where({ user_id: id }).orderBy('id')
  const tables = ['tokens', 'logs', 'midjourneys', 'tasks', 'top_ups', 'quota_data', 'ledger_entries']
  return { user: await reader('users').where({ id }), rows: await Promise.all(tables.map(rowsIn)) }
}

describe("a call that names another user's row", () => {
  test('replies as for an unknown row, for every call, and changes nothing', {
    timeout: 180_000,
  }, async () => {
    const fixture = await openFixture()
    const { api, a, b, operations, idsOfB } = fixture
    // What a relay of B's has set aside goes back by itself, half a second later.
    await expectNothingHeld(fixture)
    const before = await rowsOf(fixture, b)
    const ask = async (operation: Operation, id: number) => {
      const { method, path, json } = plausibleRequest(operation, id)
      const { status, text } = await (await api.as(a)).send(method, path, json)
      return `${status} ${text.replace(new RegExp(`\\b${id}\\b`, 'g'), '#')}`
    }
    const naming = operations.filter(
      ({ path, body }) => path.includes('{') || JSON.stringify(body ?? '').includes('"id'),
    )

    const differing: string[] = []
    for (const operation of naming) {
      for (const id of idsOfB.filter((candidate) => candidate > 2)) {
        const [others, nobodys] = [await ask(operation, id), await ask(operation, NO_ID)]
        if (others !== nobodys) differing.push(`${nameOf(operation)}: ${others} — ${nobodys}`)
      }
    }

    expect(naming.length).toBeGreaterThan(0)
    expect(differing).toEqual([])
    expect(await rowsOf(fixture, b)).toEqual(before)
  })
})
