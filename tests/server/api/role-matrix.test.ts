import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { TOKEN_STATUS } from '../../../core/tokens/token.ts'
import { type Api, openApi } from '../../support/api.ts'
import { openTestGateway, type TestGateway } from '../../support/gateway.ts'
import { type Operation, plausibleRequest, readOperations } from '../../support/operations.ts'
import { banWithSessions, type Person } from '../../support/toolkit.ts'
import { CALLS, type Call, nameOf } from './calls.ts'

const REFUSALS = {
  notSignedIn: {
    status: 401,
    zh: '无权进行此操作，未登录且未提供 access token',
    en: 'Not logged in and no access token given',
  },
  accessTokenInvalid: {
    status: 200,
    zh: '无权进行此操作，access token 无效',
    en: 'No permission for this operation: invalid access token',
  },
  headerMissing: {
    status: 401,
    zh: '无权进行此操作，未提供 Tollgate-User',
    en: 'No permission for this operation: the Tollgate-User header is missing',
  },
  headerMalformed: {
    status: 401,
    zh: '无权进行此操作，Tollgate-User 格式错误',
    en: 'No permission for this operation: the Tollgate-User header is not a number',
  },
  headerMismatch: {
    status: 401,
    zh: '无权进行此操作，Tollgate-User 与登录用户不匹配',
    en: 'No permission for this operation: the Tollgate-User header is not the signed-in user',
  },
  disabled: { status: 200, zh: '用户已被封禁', en: 'This user has been banned' },
  denied: { status: 200, zh: '无权进行此操作，权限不足', en: 'No permission for this operation: insufficient rights' },
} as const
type Refusal = keyof typeof REFUSALS
const TEXTS = new Set(Object.values(REFUSALS).flatMap(({ zh, en }): string[] => [zh, en]))

/** What a kind of caller sends, and how a call of that access refuses it; undefined: it is let in. */
interface Caller {
  headers: Record<string, string>
  refusal: (access: Call['access']) => Refusal | undefined
}

/** A signed-in person: by the role, and by whether a browser is asked for. */
const upTo =
  (role: number, session: Refusal | undefined = undefined) =>
  (access: Call['access']): Refusal | undefined => {
    if (access === 'session') return session
    if (access === 'anyone' || access === 'key' || access === 'bearer') return undefined
    return role < ROLE[access === 'user' ? 'common' : access] ? 'denied' : undefined
  }
/** The same refusal on each route that requires a signed-in user. */
const always =
  (guarded: Refusal, session: Refusal | undefined) =>
  (access: Call['access']): Refusal | undefined =>
    access === 'anyone' || access === 'key' || access === 'bearer'
      ? undefined
      : access === 'session'
        ? session
        : guarded

/** One caller of each kind; a caller whose credentials a call has ended is created again. */
async function createCallers(fixture: TestGateway): Promise<Record<string, Caller>> {
  const { toolkit, root } = fixture
  const { sessions, accessTokens } = toolkit
  const bySession = async ({ id }: Pick<Person, 'id'>) => ({
    cookie: `session=${await sessions.create(id)}`,
    'tollgate-user': String(id),
  })
  const byToken = async (person: Person) => ({
    authorization: `Bearer ${await accessTokens.create(person)}`,
    'tollgate-user': String(person.id),
  })
  const [common, scripted, mistaken, admin, scriptedAdmin, disabled, disabledAdmin, deleted, demoted] =
    await Promise.all([
      fixture.user(),
      fixture.user(),
      fixture.user(),
      fixture.user({ role: ROLE.admin }),
      fixture.user({ role: ROLE.admin }),
      fixture.user(),
      fixture.user({ role: ROLE.admin }),
      fixture.user({ role: ROLE.admin }),
      fixture.user({ role: ROLE.admin }),
    ])
  const { key } = await fixture.token(admin)
  const callers: Record<string, Caller> = {
    anonymous: { headers: { 'tollgate-user': '-1' }, refusal: always('notSignedIn', 'notSignedIn') },
    'a wrong access token': {
      headers: { authorization: 'Bearer wrong', 'tollgate-user': String(root.id) },
      refusal: always('accessTokenInvalid', 'notSignedIn'),
    },
    "an admin's API key": {
      headers: { authorization: `Bearer sk-${key}`, 'tollgate-user': String(admin.id) },
      refusal: always('accessTokenInvalid', 'notSignedIn'),
    },
    // Access tokens first: root has only one, which GET /api/user/token replaces.
    "a common user's access token": { headers: await byToken(scripted), refusal: upTo(ROLE.common, 'notSignedIn') },
    "an admin's access token": { headers: await byToken(scriptedAdmin), refusal: upTo(ROLE.admin, 'notSignedIn') },
    "root's access token": { headers: await byToken(root), refusal: upTo(ROLE.root, 'notSignedIn') },
    'a common user': { headers: await bySession(common), refusal: upTo(ROLE.common) },
    'an admin': { headers: await bySession(admin), refusal: upTo(ROLE.admin) },
    root: { headers: await bySession(root), refusal: upTo(ROLE.root) },
    'no user header': {
      headers: { cookie: (await bySession(root)).cookie },
      refusal: always('headerMissing', 'headerMissing'),
    },
    'a malformed user header': {
      headers: { ...(await bySession(root)), 'tollgate-user': '1e0' },
      refusal: always('headerMalformed', 'headerMalformed'),
    },
    "another's user header": {
      headers: { ...(await bySession(mistaken)), 'tollgate-user': String(root.id) },
      refusal: always('headerMismatch', 'headerMismatch'),
    },
    'a disabled user': { headers: await bySession(disabled), refusal: always('disabled', 'disabled') },
    "a disabled admin's access token": {
      headers: await byToken(disabledAdmin),
      refusal: always('disabled', 'notSignedIn'),
    },
    'a deleted admin': { headers: await bySession(deleted), refusal: always('notSignedIn', 'notSignedIn') },
    "a deleted admin's access token": {
      headers: await byToken(deleted),
      refusal: always('accessTokenInvalid', 'notSignedIn'),
    },
    'a demoted admin': { headers: await bySession(demoted), refusal: upTo(ROLE.common) },
  }
  // Only now, with their sessions open and their access tokens made.
  for (const { id } of [disabled, disabledAdmin]) await banWithSessions(fixture, id)
  await toolkit.db.transaction(async (trx) => {
    await trx('users').where({ id: deleted.id }).update({ deleted_at: new Date().toISOString() })
    await trx('users').where({ id: demoted.id }).update({ role: ROLE.common })
  })
  return callers
}

/** Calls after which their caller is not who it was. */
const SPOILING = new Set(['GET /api/user/logout', 'GET /api/user/token', 'PUT /api/user/self', 'DELETE /api/user/self'])

const spoils = (operation: Operation): boolean => SPOILING.has(nameOf(operation))

interface Cell {
  operation: Operation
  caller: string
  language: 'zh' | 'en'
  headers: Record<string, string>
  expected: Refusal | undefined
}

/** What is wrong with the answer; nothing when it is as documented. */
async function deviations(api: Api, { operation, caller, language, headers, expected }: Cell): Promise<string[]> {
  const { method, path, json } = plausibleRequest(operation)
  const { status, body } = await api.anonymous().send(method, path, json, { ...headers, 'accept-language': language })
  const message = messageOf(body)
  const summary = `${caller} → ${nameOf(operation)} (${language}): ${status} ${message}`
  if (!expected) return status === 401 || TEXTS.has(message) ? [`${summary}; but is allowed`] : []
  const { status: documented, [language]: text } = REFUSALS[expected]
  return status === documented && message === text && body.success !== true
    ? []
    : [`${summary}; not ${documented} ${text}`]
}

/** The relay's side words a refusal as OpenAI does, with the request id behind it; two calls of the wallet have it in `data`. */
function messageOf(body: { message?: unknown; error?: unknown; data?: unknown }): string {
  const { message = '' } = (body.error ?? body) as { message?: unknown }
  const text = message === 'error' ? body.data : message
  return String(text).replace(/ \(request id: \w+\)$/, '')
}

describe('every call', () => {
  test('allows or rejects each kind of caller as documented, in both languages', { timeout: 180_000 }, async () => {
    const fixture = await openTestGateway()
    const api = openApi(fixture)
    const documented = new Map(CALLS.map((call) => [nameOf(call), call.access]))
    const operations = await readOperations(fixture.url)
    const shared = await createCallers(fixture)

    const wrong: string[] = []
    // The spoiling ones last: root has only one access token.
    for (const operation of operations.sort((a, b) => Number(spoils(a)) - Number(spoils(b)))) {
      const access = documented.get(nameOf(operation)) ?? operation.access
      // Who asks whose access token this is brings no user header; `self.test.ts` has that one.
      if (!access || access === 'key' || access === 'bearer') continue
      for (const language of ['zh', 'en'] as const) {
        const callers = spoils(operation) ? await createCallers(fixture) : shared
        for (const [caller, { headers, refusal }] of Object.entries(callers)) {
          const cell = { operation, caller, language, headers, expected: refusal(access) }
          wrong.push(...(await deviations(api, cell).catch((error: Error) => [`${caller}: ${error.message}`])))
        }
      }
    }

    expect(wrong).toEqual([])
  })
})

describe('every call for holders of an API key', () => {
  test('allows or rejects each kind of caller as documented', async () => {
    const fixture = await openTestGateway()
    const [owner, banned] = [await fixture.user({ quota: 1000 }), await fixture.user({ quota: 1000 })]
    const bearer = (key: string) => ({ authorization: `Bearer sk-${key}` })
    const disabled = await fixture.token(owner)
    await fixture.toolkit.tokens.setStatus(owner, disabled.id, TOKEN_STATUS.disabled)
    const callers: Record<string, [headers: Record<string, string>, status: number, zh: string]> = {
      anonymous: [{}, 401, '未提供令牌'],
      'an unknown key': [bearer('0'.repeat(48)), 401, '无效的令牌'],
      "root's access token": [
        { authorization: await fixture.toolkit.accessTokens.create(fixture.root) },
        401,
        '无效的令牌',
      ],
      'a session': [{ cookie: `session=${await fixture.toolkit.sessions.create(owner.id)}` }, 401, '未提供令牌'],
      'a disabled key': [bearer(disabled.key), 401, '该令牌状态不可用'],
      "a banned user's key": [bearer((await fixture.token(banned)).key), 403, '用户已被封禁'],
      'a key': [bearer((await fixture.token(owner)).key), 200, ''],
    }
    await fixture.toolkit.accounts.manage(fixture.root, banned.id, 'disable')
    const api = openApi(fixture)

    const answers: unknown[] = []
    const expected: unknown[] = []
    for (const { method, path } of CALLS.filter(({ access }) => access === 'key')) {
      for (const [caller, [headers, status, message]] of Object.entries(callers)) {
        const answer = await api.anonymous().send(method, path, undefined, { ...headers, 'accept-language': 'zh' })
        answers.push({ path, caller, status: answer.status, message: messageOf(answer.body) })
        expected.push({ path, caller, status, message })
      }
    }

    expect(answers).toEqual(expected)
  })
})
