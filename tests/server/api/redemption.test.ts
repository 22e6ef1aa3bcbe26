import { beforeEach, describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'
import { skipWithoutPostgres, type TestOptions } from '../../support/toolkit.ts'

const openGateway = reused()

const CODE = /^[0-9a-f]{32}$/
const HUGE = '999999999999999'

async function open(options: TestOptions = {}) {
  const fixture = await openGateway(options)
  const person = await fixture.user({ role: 10 })
  const admin = await openApi(fixture).as(person)
  const make = async (batch: object = {}): Promise<string[]> =>
    (await admin.post('/api/redemption/', { name: 'gift', quota: 500, count: 1, ...batch })).body.data
  /** Makes one code and answers its row. */
  const one = async (batch: object = {}) => {
    await make(batch)
    return (await admin.get('/api/redemption/?p=1&page_size=1')).body.data.items[0]
  }
  const rowOf = async (id: number) => (await admin.get(`/api/redemption/${id}`)).body.data
  return { ...fixture, person, admin, make, one, rowOf }
}

const refusal = (message: string | RegExp) => ({ success: false, message: expect.stringMatching(message) })

describe('GET /api/redemption/', () => {
  test('returns a page of codes, newest first, with every documented field', async () => {
    const { admin, person, make } = await open()
    const [key] = await make({ name: 'first' })
    await make({ name: 'second', quota: 7 })

    const { body } = await admin.get('/api/redemption/?p=1&page_size=10')

    expect(body).toMatchObject({ success: true, message: '', data: { total: 2, page: 1, page_size: 10 } })
    expect(body.data.items.map(({ name }: { name: string }) => name)).toEqual(['second', 'first'])
    expect(body.data.items[1]).toEqual({
      id: expect.any(Number),
      user_id: person.id,
      key,
      status: 1,
      name: 'first',
      quota: 500,
      created_time: expect.any(Number),
      redeemed_time: 0,
      count: 0,
      used_user_id: 0,
      DeletedAt: null,
    })
  })

  test('treats p=0 as the first page, and replaces invalid pages and sizes', async () => {
    const { admin, make } = await open()
    await make({ count: 12 })
    const page = async (query: string) => {
      const { items, total } = (await admin.get(`/api/redemption/?${query}`)).body.data
      return [items.length, total]
    }

    expect(await page('p=0&page_size=5')).toEqual([5, 12])
    expect(await page('')).toEqual([10, 12])
    expect(await page('p=-1&page_size=-1')).toEqual([10, 12])
    expect(await page('p=2&page_size=NaN')).toEqual([2, 12])
    expect(await page(`p=${HUGE}&page_size=${HUGE}`)).toEqual([0, 12])
  })

  test('filters by status and whole name, and continues after the last seen row', async () => {
    const { admin, make, one } = await open()
    await make({ count: 3 })
    const { id } = await one({ name: 'gift 2' })
    await admin.put('/api/redemption/?status_only=true', { id, status: 2 })
    const total = async (query: string) => (await admin.get(`/api/redemption/${query}`)).body.data.total

    expect(await total('?name=gift')).toBe(3)
    expect(await total('?status=2')).toBe(1)
    expect(await total('search?status=1&keyword=gift')).toBe(3)
    expect(await total(`?before_id=${id - 1}`)).toBe(2)
  })
})

describe('GET /api/redemption/search', () => {
  test('finds by name prefix, or by id, with pages', async () => {
    const { admin, make, one } = await open()
    await make({ name: 'spring', count: 3 })
    const autumn = await one({ name: 'autumn' })
    const total = async (keyword: string) =>
      (await admin.get(`/api/redemption/search?p=0&page_size=2&keyword=${encodeURIComponent(keyword)}`)).body.data.total

    expect(await total('spr')).toBe(3)
    expect(await total('ring')).toBe(0)
    expect(await total(String(autumn.id))).toBe(1)
    expect(await total('')).toBe(4)
    expect(await total('%')).toBe(0)
    expect(await total('99999999999999999999')).toBe(0)
  })
})

describe('GET /api/redemption/:id', () => {
  test('returns one code', async () => {
    const { rowOf, one } = await open()
    const code = await one()
    expect(await rowOf(code.id)).toEqual(code)
  })

  test.each(['0', '999', 'x', '1.5', '99999999999999999999'])('rejects the id %s', async (id) => {
    const { admin } = await open()
    const { status, body } = await admin.get(`/api/redemption/${id}`)
    expect([status, body.success, body.data]).toEqual([200, false, undefined])
  })
})

describe('POST /api/redemption/', () => {
  test('returns the requested number of new codes, up to 100', async () => {
    const { make, admin } = await open()

    const codes = await make({ count: 100 })

    expect(new Set(codes).size).toBe(100)
    for (const code of codes) expect(code).toMatch(CODE)
    expect((await admin.get('/api/redemption/')).body.data.total).toBe(100)
  })

  test('allows names of 20 characters, of any number of bytes', async () => {
    const { one } = await open()
    expect(await one({ name: '码'.repeat(20) })).toMatchObject({ name: '码'.repeat(20) })
  })

  test.each([
    [{ name: '' }, '兑换码名称长度必须在1-20之间'],
    [{ name: '  ' }, '兑换码名称长度必须在1-20之间'],
    [{ name: null }, '兑换码名称长度必须在1-20之间'],
    [{ name: '码'.repeat(21) }, '兑换码名称长度必须在1-20之间'],
    [{ count: 0 }, '兑换码个数必须大于0'],
    [{ count: -1 }, '兑换码个数必须大于0'],
    [{ count: null }, '兑换码个数必须大于0'],
    [{ count: 101 }, '一次兑换码批量生成的个数不能大于 100'],
    [{ count: 1e300 }, '一次兑换码批量生成的个数不能大于 100'],
    [{ count: 1.5 }, 'count'],
    [{ count: '1' }, 'count'],
    [{ quota: 0 }, 'quota'],
    [{ quota: -1 }, 'quota'],
    [{ quota: 1e16 }, 'quota'],
    [{ quota: '5' }, 'quota'],
    [{ quota: undefined }, 'quota'],
    [{ name: 5 }, 'name'],
  ])('rejects %j: %s, and creates nothing', async (wrong, message) => {
    const { admin } = await open()

    const { status, body } = await admin.post('/api/redemption/', { name: 'gift', quota: 5, count: 1, ...wrong })

    expect([status, body]).toEqual([200, refusal(message)])
    expect((await admin.get('/api/redemption/')).body.data.total).toBe(0)
  })

  test('with an Idempotency-Key creates its codes once, and rejects the key for another body', async () => {
    const { admin } = await open()
    const headers = { 'Idempotency-Key': 'release-7' }
    const send = (batch: object = {}) =>
      admin.post('/api/redemption/', { name: 'gift', quota: 5, count: 2, total: 4, ...batch }, headers)
    const { data } = (await send()).body

    expect((await send()).body.data).toEqual(data)
    for (const other of [{ count: 1 }, { total: 5 }]) {
      const { body, headers: named } = await send(other)
      expect(body).toEqual(refusal('幂等键 release-7 已用于另一个请求'))
      expect(decodeURIComponent(named.get('tollgate-error') ?? '')).toContain('"code":"IDEMPOTENCY_KEY_REUSED"')
    }
    expect((await send({ total: 1 })).body).toEqual(refusal('total'))
    expect((await admin.get('/api/redemption/')).body.data.total).toBe(2)
  })
})

describe('POST /api/redemption/made', () => {
  test('returns the codes created by keys, up to the first key without any', async () => {
    const { admin } = await open()
    const batch = { name: 'gift', quota: 5, total: 4 }
    const made = async (fields: object = {}) =>
      (await admin.post('/api/redemption/made', { ...batch, idempotency_keys: ['a', 'b'], ...fields })).body
    const none = { codes: [], used: 0, disabled: 0, deleted: 0 }
    expect((await made()).data).toEqual(none)
    const { body } = await admin.post('/api/redemption/', { ...batch, count: 2 }, { 'Idempotency-Key': 'a' })

    expect((await made()).data).toEqual({ ...none, codes: body.data })
    expect((await made({ idempotency_keys: ['b', 'a'] })).data).toEqual(none)
    expect(await made({ total: 5 })).toEqual(refusal('已用于另一个请求'))
    expect(await made({ idempotency_keys: Array.from({ length: 1001 }, String) })).toEqual(refusal('idempotency_keys'))
    expect(await made({ idempotency_keys: [''] })).toEqual(refusal('幂等键必须为'))
    expect(await made({ name: '' })).toEqual(refusal('兑换码名称'))
  })
})

describe('PUT /api/redemption/', () => {
  test('changes name and quota of an unused code and returns it; nothing else changes', async () => {
    const { admin, one, rowOf } = await open()
    const before = await one()

    const { body } = await admin.put('/api/redemption/', {
      ...before,
      name: 'new',
      quota: 9,
      key: 'x',
      status: 3,
      user_id: 7,
    })

    expect(body).toEqual({ success: true, message: '', data: { ...before, name: 'new', quota: 9 } })
    expect((await admin.put('/api/redemption/', { id: before.id, quota: 10 })).body.data).toMatchObject({ name: 'new' })
    expect(await rowOf(before.id)).toMatchObject({ name: 'new', quota: 10 })
  })

  test('with status_only disables and enables, and changes nothing else', async () => {
    const { admin, one, toolkit, user } = await open()
    const before = await one()
    const set = async (status: unknown) =>
      (await admin.put('/api/redemption/?status_only=true', { id: before.id, status, quota: 1e6 })).body

    expect((await set(2)).data).toEqual({ ...before, status: 2 })
    await expect(toolkit.redemption.redeem(await user(), before.key)).rejects.toMatchObject({ code: 'REDEMPTION_USED' })
    expect((await admin.put('/api/redemption/', { id: before.id, quota: 3 })).body).toEqual(refusal('只能修改未使用'))
    expect((await set(1)).data).toEqual(before)
    for (const status of [0, 3, -1, '1', null]) expect(await set(status)).toEqual(refusal('status'))
  })

  test('neither edits, disables nor enables a used code', async () => {
    const { admin, one, toolkit, user, rowOf } = await open()
    const { id, key } = await one()
    await toolkit.redemption.redeem(await user(), key)
    const used = await rowOf(id)

    const message = `兑换码 ${id} 已使用或已禁用，只能修改未使用的兑换码`
    expect((await admin.put('/api/redemption/', { id, name: 'x', quota: 1e6 })).body).toEqual({
      success: false,
      message,
    })
    for (const status of [1, 2]) {
      const { body } = await admin.put('/api/redemption/?status_only=true', { id, status })
      expect(body).toEqual({ success: false, message })
    }
    expect(await rowOf(id)).toEqual(used)
  })

  test.each([
    [{ id: undefined }, 'id'],
    [{ id: 'x' }, 'id'],
    [{ id: 9999 }, '不存在'],
    [{ name: '' }, '兑换码名称长度必须在1-20之间'],
    [{ name: 'x'.repeat(21) }, '兑换码名称长度必须在1-20之间'],
    [{ quota: 0 }, 'quota'],
    [{ quota: -5 }, 'quota'],
    [{ quota: 1.5 }, 'quota'],
  ])('rejects %j: %s', async (wrong, message) => {
    const { admin, one, rowOf } = await open()
    const before = await one()

    const { status, body } = await admin.put('/api/redemption/', { id: before.id, name: 'new', quota: 9, ...wrong })

    expect([status, body]).toEqual([200, refusal(message)])
    expect(await rowOf(before.id)).toEqual(before)
  })

  describe.each(['sqlite', 'postgres'] as const)('while another user redeems the code, on %s', (database) => {
    if (database === 'postgres') beforeEach(skipWithoutPostgres)

    test("pays the code's quota at redemption, and a used code stays used", async () => {
      const { admin, one, toolkit, user, rowOf, balance } = await open({ database })
      for (let round = 0; round < 10; round++) {
        const { id, key } = await one({ quota: 5 })
        const redeemer = await user()

        const [paid] = await Promise.all([
          toolkit.redemption.redeem(redeemer, key).catch(() => 0),
          admin.put('/api/redemption/', { id, quota: 9 }),
          admin.put('/api/redemption/?status_only=true', { id, status: 2 }),
        ])

        const { quota, status } = await rowOf(id)
        expect(await balance(redeemer)).toBe(paid)
        expect({ paid, status }).toEqual(paid ? { paid: quota, status: 3 } : { paid: 0, status: 2 })
      }
      expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
    })
  })
})

describe('DELETE /api/redemption/:id', () => {
  test('deletes a code once, which then is invalid, in both slash forms', async () => {
    const { admin, one, toolkit, user } = await open()
    const [first, second] = [await one(), await one()]

    expect((await admin.delete(`/api/redemption/${first.id}/`)).body).toEqual({ success: true, message: '' })
    expect((await admin.delete(`/api/redemption/${second.id}`)).body).toEqual({ success: true, message: '' })

    expect((await admin.delete(`/api/redemption/${first.id}`)).body).toEqual(refusal('不存在'))
    expect((await admin.put('/api/redemption/', { id: first.id, name: 'x' })).body).toEqual(refusal('不存在'))
    expect((await admin.get('/api/redemption/')).body.data.total).toBe(0)
    await expect(toolkit.redemption.redeem(await user(), first.key)).rejects.toMatchObject({
      code: 'REDEMPTION_INVALID',
    })
  })

  test.each(['0', 'x', '999'])('rejects the id %s', async (id) => {
    const { admin } = await open()
    const { status, body } = await admin.delete(`/api/redemption/${id}`)
    expect([status, body.success]).toEqual([200, false])
  })
})

describe('DELETE /api/redemption/named', () => {
  test('deletes all codes of exactly that name, and returns their number', async () => {
    const { admin, make } = await open()
    await make({ count: 3 })
    await make({ name: 'gift 2' })

    expect((await admin.delete('/api/redemption/named?name=gift')).body).toMatchObject({ success: true, data: 3 })
    expect((await admin.delete('/api/redemption/named?name=gift')).body.data).toBe(0)
    expect((await admin.delete('/api/redemption/named')).body).toEqual(refusal('name'))
    expect((await admin.delete('/api/redemption/named?name=')).body.success).toBe(false)
    expect((await admin.get('/api/redemption/')).body.data.total).toBe(1)
  })
})
