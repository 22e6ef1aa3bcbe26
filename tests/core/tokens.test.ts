import { describe, expect, test } from 'vitest'
import { isAddressAllowed } from '../../core/tokens/addresses.ts'
import { onBoth, openTestToolkit } from '../support/toolkit.ts'

onBoth('tokens', (open) => {
  test('of another user are not found by any operation, like tokens that never existed', async () => {
    const { toolkit, user, token } = await open()
    const [owner, thief] = [await user(), await user({ role: 10 })]
    const { id } = await token(owner, { name: 'mine' })

    for (const target of [id, 9999]) {
      for (const act of [
        () => toolkit.tokens.get(thief, target),
        () => toolkit.tokens.setStatus(thief, target, 2),
        () => toolkit.tokens.update(thief, target, { name: 'stolen', remain_quota: 1 }),
        () => toolkit.tokens.delete(thief, target),
      ]) {
        await expect(act()).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
      }
    }
    await expect(toolkit.tokens.list(thief, { ownerId: owner.id })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    await expect(toolkit.tokens.list(thief, { ownerId: 0 })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    await expect(toolkit.tokens.create(thief, { name: 'x' }, { ownerId: owner.id })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    })
    expect(await toolkit.tokens.list(thief)).toMatchObject({ total: 0 })
    expect(await toolkit.tokens.get(owner, id)).toMatchObject({ status: 1, name: 'mine' })
  })

  test('of others are managed by root, who never sees their keys again', async () => {
    const { toolkit, root, user } = await open()
    const owner = await user()
    const { id, key } = await toolkit.tokens.create(root, { name: 'gift' }, { ownerId: owner.id })

    expect(key).toMatch(/^[0-9a-zA-Z]{48}$/)
    expect(await toolkit.tokens.get(root, id)).toMatchObject({ key: '', user_id: owner.id })
    expect(await toolkit.tokens.list(root, { ownerId: 0 })).toMatchObject({ total: 1, items: [{ key: '' }] })
    expect(await toolkit.tokens.get(owner, id)).toMatchObject({ key })
    await toolkit.tokens.delete(root, id)
    await expect(toolkit.tokens.get(owner, id)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
  })

  test('are stored sealed and found only by their digest', async () => {
    const { toolkit, root, token } = await open()
    const { id, key } = await token(root)

    const [row] = await toolkit.db.reader('tokens').where({ id })
    expect(JSON.stringify(row)).not.toContain(key)
    expect(row.key).toMatch(/^v1:/)
    expect(row.key_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(await toolkit.callers.findToken(key)).toMatchObject({ id, userId: root.id })
    expect(await toolkit.callers.findToken(`${key}x`)).toBeUndefined()
  })

  test('of one name are created once per user by concurrent calls; a deleted one frees its name', async () => {
    const { toolkit, user, token } = await open()
    const [one, two] = [await user(), await user()]

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => token(one, { name: 'same' })))
    await token(two, { name: 'same' })

    const made = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    expect(made).toHaveLength(1)
    await expect(token(one, { name: ' same ' })).rejects.toMatchObject({ code: 'TOKEN_NAME_TAKEN' })
    await toolkit.tokens.delete(one, made[0]?.value.id ?? 0)
    expect(await token(one, { name: 'same' })).toMatchObject({ name: 'same' })
  })

  test('that expired or exhausted their budget are marked so, and cannot be enabled unchanged', async () => {
    let now = 1_700_000_000
    const { toolkit, root, token } = await open({ now: () => now })
    const expiring = await token(root, { expired_time: now + 60 })
    const spent = await token(root, { unlimited_quota: false, remain_quota: 0 })
    const fine = await token(root, { unlimited_quota: false, remain_quota: 1, expired_time: now + 3600 })
    const all = [expiring, spent, fine]
    now += 60

    for (const { id } of all) await toolkit.tokens.recordUnusable(id)

    const statuses = await Promise.all(all.map(async ({ id }) => (await toolkit.tokens.get(root, id)).status))
    expect(statuses).toEqual([3, 4, 1])
    const enable = (id: number) => toolkit.tokens.setStatus(root, id, 1)
    await expect(enable(expiring.id)).rejects.toMatchObject({ code: 'TOKEN_ENABLE_EXPIRED' })
    await expect(enable(spent.id)).rejects.toMatchObject({ code: 'TOKEN_ENABLE_EXHAUSTED' })
    await toolkit.tokens.setStatus(root, fine.id, 2)
    expect(await enable(fine.id)).toMatchObject({ status: 1 })
    await expect(toolkit.tokens.setStatus(root, fine.id, 3)).rejects.toMatchObject({ code: 'FIELD_CHOICE' })
  })

  test('that were disabled stay disabled if a relay finds them expired', async () => {
    let now = 1_700_000_000
    const { toolkit, root, token } = await open({ now: () => now })
    const { id } = await token(root, { expired_time: now + 60 })
    await toolkit.tokens.setStatus(root, id, 2)
    now += 61

    await toolkit.tokens.recordUnusable(id)

    expect(await toolkit.tokens.get(root, id)).toMatchObject({ status: 2 })
  })

  test('are cached by the relay until an edit, which applies immediately', async () => {
    const { toolkit, root, token } = await open()
    const { id, key } = await token(root, { model_limits: 'gpt-4o, o3,,gpt-4o', allow_ips: ' 10.0.0.0/8 \n\n::1' })

    expect(await toolkit.callers.findToken(key)).toMatchObject({
      status: 1,
      models: new Set(['gpt-4o', 'o3']),
      addresses: ['10.0.0.0/8', '::1'],
    })
    await toolkit.tokens.setStatus(root, id, 2)
    expect(await toolkit.callers.findToken(key)).toMatchObject({ status: 2 })
    await toolkit.tokens.delete(root, id)
    expect(await toolkit.callers.findToken(key)).toBeUndefined()
  })

  test('are edited in one locked step: a concurrent edit and deletion leave a deleted token', async () => {
    const { toolkit, user, token } = await open()
    const owner = await user()
    for (let round = 0; round < 10; round++) {
      const { id } = await token(owner)

      const [edit, deletion] = await Promise.allSettled([
        toolkit.tokens.update(owner, id, { name: `edited ${round}`, remain_quota: round }),
        toolkit.tokens.delete(owner, id),
      ])

      expect(deletion.status).toBe('fulfilled')
      if (edit.status === 'rejected') expect(edit.reason).toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    }
    expect(await toolkit.tokens.list(owner)).toMatchObject({ total: 0 })
  })

  test('have edits applied in the relay immediately', async () => {
    const { toolkit, user, token } = await open()
    const owner = await user()
    const { id, key } = await token(owner)
    expect(await toolkit.callers.findToken(key)).toMatchObject({ unlimited: true, group: '' })

    await toolkit.tokens.update(owner, id, { unlimited_quota: false, remain_quota: 5, group: 'vip', allow_ips: '::1' })

    expect(await toolkit.callers.findToken(key)).toMatchObject({ unlimited: false, group: 'vip', addresses: ['::1'] })
    expect(await toolkit.tokens.update(owner, id, {})).toMatchObject({ remain_quota: 5, group: 'vip' })
  })

  test('of a group not available to the owner are not created, except of the own group', async () => {
    const { toolkit, user } = await open()
    const insider = await user({ group: 'svip' })

    await expect(toolkit.tokens.create(await user(), { name: 'x', group: 'svip' })).rejects.toMatchObject({
      code: 'GROUP_NOT_ALLOWED',
    })
    expect(await toolkit.tokens.create(insider, { name: 'x', group: 'svip' })).toMatchObject({ group: 'svip' })
  })

  test("are searched by the user's own names and keys only, by root too", async () => {
    const { toolkit, root, user, token } = await open()
    const [owner, thief] = [await user(), await user()]
    const { id, key } = await token(owner, { name: '100%_a' })
    await token(owner, { name: '100 a' })
    const ids = async (actor: typeof root, query: object) =>
      (await toolkit.tokens.search(actor, query)).map((token) => token.id)

    expect(await ids(owner, { keyword: '%_' })).toEqual([id])
    expect(await ids(owner, { keyword: '\\' })).toEqual([])
    expect(await ids(owner, { key: key.slice(3, 20) })).toEqual([id])
    expect(await ids(owner, { key: `sk-${key}`, keyword: '100' })).toEqual([id])
    for (const actor of [thief, root]) expect(await ids(actor, { key })).toEqual([])
  })

  test('are found by the whole key in any number, by a part of it among the newest thousand', async () => {
    const { toolkit, user, token } = await open()
    const owner = await user()
    const { id, key } = await token(owner)
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      user_id: owner.id,
      key: '',
      key_hash: `h${at}`,
      name: 'x',
    }))
    await toolkit.db.transaction((trx) => trx.batchInsert('tokens', rows, 100))

    expect(await toolkit.tokens.search(owner, { key })).toMatchObject([{ id }])
    expect(await toolkit.tokens.search(owner, { key: key.slice(1) })).toEqual([])
    expect(await toolkit.tokens.search(owner, {})).toHaveLength(1000)
  })

  test('of an unknown user are not created', async () => {
    const { toolkit, root } = await open()
    await expect(toolkit.tokens.create(root, { name: 'x' }, { ownerId: 9999 })).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    })
  })

  test('are listed newest first, page by page, and by a part of the name', async () => {
    const { toolkit, user, token } = await open()
    const owner = await user()
    for (const name of ['alpha', 'beta', 'alphabet']) await token(owner, { name })

    const first = await toolkit.tokens.list(owner, { pageSize: 2 })
    const second = await toolkit.tokens.list(owner, { pageSize: 2, page: 2 })

    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['alphabet', 'beta', 'alpha'])
    expect(await toolkit.tokens.list(owner, { keyword: 'alpha' })).toMatchObject({ total: 2 })
  })
})

test.each([
  ['name', { name: '' }, 'FIELD_REQUIRED'],
  ['expired_time', { expired_time: 1 }, 'FIELD_EXPIRY'],
  ['expired_time', { expired_time: -2 }, 'FIELD_RANGE'],
  ['remain_quota', { remain_quota: -1 }, 'FIELD_RANGE'],
  ['remain_quota', { remain_quota: 0.5 }, 'FIELD_WHOLE_NUMBER'],
  ['allow_ips', { allow_ips: '10.0.0.0/33' }, 'FIELD_ADDRESSES'],
  ['allow_ips', { allow_ips: 'example.org' }, 'FIELD_ADDRESSES'],
  ['group', { group: 'x'.repeat(65) }, 'FIELD_LENGTH'],
])('a token with a bad %s %o is rejected: %s', async (field, wrong, code) => {
  const { root, token } = await openTestToolkit()
  await expect(token(root, wrong)).rejects.toMatchObject({ code, params: { field } })
})

describe('an allow list', () => {
  test.each([
    [[], '203.0.113.9', true],
    [['10.0.0.1'], '10.0.0.1', true],
    [['10.0.0.1'], '10.0.0.2', false],
    [['10.0.0.0/8'], '10.255.0.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['::ffff:10.0.0.1'], '10.0.0.1', true],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::1'], '2001:0db8:0:0:0:0:0:1', true],
    [['::/0'], '10.0.0.1', false],
    [['0.0.0.0/0'], '::1', false],
    [['192.168.1.1', '::1'], '::1', true],
    [['10.0.0.1'], 'not an address', false],
    [['10.0.0.1'], '', false],
    [['localhost'], '127.0.0.1', false],
    [['localhost', '127.0.0.1'], '127.0.0.1', true],
  ])('%j and the caller %s: %s', (list, address, allowed) => {
    expect(isAddressAllowed(list, address)).toBe(allowed)
  })
})
