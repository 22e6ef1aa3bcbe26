import type { Page } from '../../core/input.ts'
import type { Order, PaymentCallback, PaymentForm } from '../../core/wallet/schema.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

export function remoteWallet(client: Client): Pick<CommandToolkit, 'wallet' | 'topUpTerms'> {
  return {
    wallet: {
      async amountToPay(_actor, amount) {
        return (await client.call('POST', '/api/user/amount', { body: { amount } })) as string
      },
      async pay(_actor, order) {
        const { document } = await client.ask('POST', '/api/user/pay', { body: order })
        return { url: String(document.url), form: document.data as PaymentForm }
      },
      async orders(_actor, { page, pageSize, status, username, trade_no } = {}) {
        const query = { p: page, page_size: pageSize, status, username, trade_no }
        return (await client.call('GET', '/api/topup/', { query })) as Page<Order>
      },
      async ownOrders(_actor, { page, pageSize } = {}) {
        return (await client.call('GET', '/api/topup/self', { query: { p: page, page_size: pageSize } })) as Page<Order>
      },
      async callbacks(_actor, { page, pageSize, trade_no, verdict } = {}) {
        const query = { p: page, page_size: pageSize, trade_no, verdict }
        return (await client.call('GET', '/api/topup/callbacks', { query })) as Page<PaymentCallback>
      },
      async replay(_actor, id) {
        return (await client.call('POST', '/api/topup/callbacks/:id/replay', { params: { id } })) as PaymentCallback
      },
    },
    async topUpTerms() {
      const status = (await client.call('GET', '/api/status')) as {
        top_up_link: string
        price: number
        min_topup: number
        enable_online_topup: boolean
      }
      const { top_up_link: link, price, min_topup: minimum, enable_online_topup: online } = status
      return { link, price, minimum, online }
    },
  }
}
