import { beforeEach, describe, expect, test } from 'vitest'
import { USER_STATUS } from '../../../core/actor.ts'
import { LOG_TYPE } from '../../../core/logs/log.ts'
import { ask, post } from '../../support/chat.ts'
import { keyOf, MODEL, openTestGateway, openTestRelay, type TestRelay } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { type DatabaseKind, type Person, skipWithoutPostgres } from '../../support/toolkit.ts'

/** Quota for a request, at a price that does not depend on its tokens. */
const PRICE = 500
const answerOk = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(9, 1)))

/** A gateway with a team of an owner and members, each with a key of the team. */
async function openTeam(
  answer: (exchange: Exchange) => unknown,
  { database, members, quota }: { database: DatabaseKind; members: number; quota: number },
) {
  const fixture = await openTestRelay(answer, {
    gateway: ({ settings }) => openTestGateway({ settings, database }),
    user: { quota },
  })
  const { toolkit, root, person: owner } = fixture
  await toolkit.options.set(root, 'ModelPrice', JSON.stringify({ [MODEL]: PRICE / 500_000 }))
  const team = await toolkit.teams.create(owner, { name: `Team ${owner.id}` })
  if (quota > 0) await toolkit.teams.transfer(owner, team.id, quota)
  const people: { person: Person; key: string; tokenId: number }[] = []
  for (let at = 0; at < members; at++) {
    const person = at === 0 ? owner : await fixture.user()
    if (at > 0) {
      const { code = '' } = await toolkit.teams.invite(owner, team.id)
      await toolkit.teams.join(person, code)
    }
    const token = await toolkit.teams.keys.create(person, team.id, { name: `key ${at}`, unlimited_quota: true })
    people.push({ person, key: keyOf(token), tokenId: token.id })
  }
  return { ...fixture, team, owner, people, teams: toolkit.teams }
}

const chat = ({ url }: Pick<TestRelay, 'url'>, key: string) => post({ url, key, body: ask(MODEL) })

describe.each(['sqlite', 'postgres'] as const)('keys of a team, on %s', (database) => {
  beforeEach(async (context) => {
    if (database === 'postgres') await skipWithoutPostgres(context)
  })

  test('of two members may use the same idempotency key: neither gets the reply of the other', async () => {
    const fixture = await openTeam(answerOk, { database, members: 2, quota: 50 * PRICE })
    const send = (at: number) =>
      post({
        url: fixture.url,
        key: fixture.people[at]?.key ?? '',
        body: ask(MODEL),
        headers: { 'idempotency-key': 'one' },
      })

    const answers = [await send(0), await send(1), await send(1)]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null, 'true'])
    const sent = fixture.upstream.seen.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(sent).size).toBe(2)
    expect(await fixture.teams.get(fixture.owner, fixture.team.id)).toMatchObject({ used_quota: 2 * PRICE })
  })

  test('with 200 concurrent requests of five members on a balance for 50 serve exactly 50', async () => {
    const fixture = await openTeam(answerOk, { database, members: 5, quota: 50 * PRICE })

    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, at) => chat(fixture, fixture.people[at % 5]?.key ?? '')),
    )

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
    expect(fixture.upstream.seen).toHaveLength(50)
    expect(await fixture.teams.get(fixture.owner, fixture.team.id)).toMatchObject({
      quota: 0,
      used_quota: 50 * PRICE,
      request_count: 50,
    })
    const { total } = await fixture.teams.usage.logs(fixture.owner, fixture.team.id, { type: LOG_TYPE.consumption })
    expect(total).toBe(50)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({
      equal: true,
      charges: 50 * PRICE,
      differences: [],
      rows: [],
    })
  })

  test('stop immediately if their member is disabled, and work again if the member is enabled', async () => {
    const fixture = await openTeam(answerOk, { database, members: 2, quota: 50 * PRICE })
    const [, member] = fixture.people
    const { person, key } = member as NonNullable<typeof member>

    const before = await chat(fixture, key)
    await fixture.toolkit.accounts.manage(fixture.root, person.id, 'disable')
    const disabled = await chat(fixture, key)
    await fixture.toolkit.accounts.manage(fixture.root, person.id, 'enable')
    const after = await chat(fixture, key)

    expect([before.status, disabled.status, after.status]).toEqual([200, 403, 200])
  })

  test('stop immediately if their member is removed, or the team disabled; keys of others still work', async () => {
    const fixture = await openTeam(answerOk, { database, members: 3, quota: 50 * PRICE })
    const [owner, removed] = fixture.people
    await chat(fixture, removed?.key ?? '')

    await fixture.teams.removeMember(fixture.owner, fixture.team.id, removed?.person.id ?? 0)

    expect((await chat(fixture, removed?.key ?? '')).status).toBe(401)
    expect((await chat(fixture, owner?.key ?? '')).status).toBe(200)
    await fixture.teams.update(fixture.root, fixture.team.id, { status: USER_STATUS.disabled })
    expect((await chat(fixture, owner?.key ?? '')).status).toBe(403)
  })

  test('of one member share the windows of the member, separate from other members', async () => {
    const fixture = await openTeam(answerOk, { database, members: 2, quota: 50 * PRICE })
    const [owner, member] = fixture.people
    const { person } = member as NonNullable<typeof member>
    const second = await fixture.teams.keys.create(person, fixture.team.id, { name: 'second', unlimited_quota: true })
    const limit = { subject: 'member', subject_id: `${fixture.team.id}/${person.id}`, period: 'day' } as const
    await fixture.toolkit.limits.set(fixture.owner, [{ ...limit, measure: 'quota', amount: 3 * PRICE }])
    const keys = [member?.key ?? '', keyOf(second)]

    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => chat(fixture, keys[at % 2] ?? '')))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(17)
    expect((await chat(fixture, owner?.key ?? '')).status).toBe(200)
    const raise = fixture.toolkit.limits.set(person, [{ ...limit, measure: 'quota', amount: 100 * PRICE }])
    await expect(raise).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    expect(await fixture.toolkit.limits.status(person, { subject: 'member' })).toMatchObject([{ used: 3 * PRICE }])
  })

  test('keep their team while a request runs; then its deletion returns the rest', async () => {
    let answer: () => void = () => {}
    const answerLater = (exchange: Exchange) => {
      answer = () => answerOk(exchange)
    }
    const fixture = await openTeam(answerLater, { database, members: 1, quota: 2 * PRICE })
    const running = chat(fixture, fixture.people[0]?.key ?? '')
    await expect.poll(() => fixture.upstream.seen.length).toBe(1)

    await expect(fixture.teams.delete(fixture.owner, fixture.team.id)).rejects.toMatchObject({ code: 'TEAM_BUSY' })
    answer()
    expect((await running).status).toBe(200)
    await fixture.teams.delete(fixture.owner, fixture.team.id)

    expect(await fixture.balance(fixture.owner)).toBe(PRICE)
    expect((await chat(fixture, fixture.people[0]?.key ?? '')).status).toBe(401)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: PRICE, rows: [] })
  })

  test('show their requests, receipts and dashboard to the team by role', async () => {
    const fixture = await openTeam(answerOk, { database, members: 3, quota: 50 * PRICE })
    const [owner, one, other] = fixture.people
    await chat(fixture, one?.key ?? '')
    await chat(fixture, one?.key ?? '')
    await chat(fixture, other?.key ?? '')
    const { usage: seen } = fixture.teams
    const consumption = { type: LOG_TYPE.consumption }
    const { id } = fixture.team
    const person = (of: typeof one): Person => (of as NonNullable<typeof one>).person

    const all = await seen.logs(person(owner), id, consumption)
    expect(all.items.map(({ token_name }) => token_name)).toEqual(['key 2', 'key 1', 'key 1'])
    expect((await seen.logs(person(owner), id, { ...consumption, memberId: person(one).id })).total).toBe(2)
    expect((await seen.logs(person(one), id, { ...consumption, memberId: person(other).id })).total).toBe(2)
    const mine = all.items.find(({ token_name }) => token_name === 'key 1')?.request_id ?? ''
    expect(await seen.request(person(one), id, mine)).toMatchObject({ charged: PRICE, receipt: { equal: true } })
    await expect(seen.request(person(other), id, mine)).rejects.toMatchObject({ code: 'LOG_NOT_FOUND' })
    expect((await seen.stat(person(other), id)).quota).toBe(PRICE)
    const query = { lastHours: 1, by: 'model', metric: 'quota' } as const
    const totals = async (who: Person) => (await seen.dashboard(who, id, query)).data?.totals
    expect(await totals(person(owner))).toMatchObject({ count: 3, quota: 3 * PRICE })
    expect(await totals(person(one))).toMatchObject({ count: 2, quota: 2 * PRICE })
  })
})
