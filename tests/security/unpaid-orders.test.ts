import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { serve } from '../support/gateway.ts'
import { onBoth } from '../support/toolkit.ts'

onBoth('a user who orders and does not pay', (open) => {
  async function openShop(max: string) {
    const fixture = await open()
    const { url } = await serve(fixture)
    const options = { EpayId: '1', EpayKey: 'merchant', PayAddress: 'http://127.0.0.1:9', UnpaidOrdersMax: max }
    await fixture.toolkit.options.set(fixture.root, 'ServerAddress', url)
    for (const [key, value] of Object.entries(options)) await fixture.toolkit.options.set(fixture.root, key, value)
    const shopper = async () => {
      const person = await fixture.user()
      const client = await openApi({ ...fixture, url }).as(person)
      const order = async () =>
        (await client.post('/api/user/pay', { amount: 5, payment_method: 'zfb' }, { 'accept-language': 'en' })).body
      return { person, order }
    }
    return { ...fixture, shopper }
  }

  test('has no more orders than the option allows, also concurrently', async () => {
    const { toolkit, shopper } = await openShop('3')
    const [ann, bob] = [await shopper(), await shopper()]

    const answers = await Promise.all(Array.from({ length: 8 }, () => ann.order()))

    expect(answers.filter(({ message }) => message === 'success')).toHaveLength(3)
    expect(answers.find(({ message }) => message === 'error')?.data).toMatch(/^You have 3 unpaid orders/)
    expect(await toolkit.wallet.ownOrders(ann.person)).toMatchObject({ total: 3 })
    // Others are not kept from it.
    expect((await bob.order()).message).toBe('success')
  })

  test('may order again after one is paid or a day old, and always if the option is 0', async () => {
    const { toolkit, root, shopper } = await openShop('1')
    const { person, order } = await shopper()
    const change = (columns: object) =>
      toolkit.db.transaction((trx) => trx('top_ups').where({ user_id: person.id }).update(columns))

    expect((await order()).message).toBe('success')
    expect((await order()).message).toBe('error')
    await change({ status: 'success' })
    expect((await order()).message).toBe('success')
    await change({ status: 'pending', create_time: Math.floor(Date.now() / 1000) - 24 * 3600 - 1 })
    expect((await order()).message).toBe('success')
    expect((await order()).message).toBe('error')
    await toolkit.options.set(root, 'UnpaidOrdersMax', '0')
    expect((await order()).message).toBe('success')
  })
})
