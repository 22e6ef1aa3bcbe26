import type { PaymentForm } from '../../core/wallet/schema.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields } from './guards.ts'

export function remoteWallet(client: Client): Pick<CommandToolkit, 'wallet' | 'topUpTerms'> {
  return {
    wallet: {
      amountToPay: (_actor, amount) => client.read('POST /api/user/amount', { body: { amount } }),
      async pay(_actor, order) {
        const guard = hasFields<{ url: string; data: PaymentForm }>('url', 'data')
        const { url, data: form } = await client.readWhole(guard, 'POST /api/user/pay', { body: order })
        return { url, form }
      },
      async orders(_actor, { page, pageSize, status, username, trade_no } = {}) {
        const query = { p: page, page_size: pageSize, status, username, trade_no }
        return await client.read('GET /api/topup/', { query })
      },
      ownOrders: (_actor, { page, pageSize } = {}) =>
        client.read('GET /api/topup/self', { query: { p: page, page_size: pageSize } }),
      async callbacks(_actor, { page, pageSize, trade_no, verdict } = {}) {
        const query = { p: page, page_size: pageSize, trade_no, verdict }
        return await client.read('GET /api/topup/callbacks', { query })
      },
      replay: (_actor, id) => client.read('POST /api/topup/callbacks/:id/replay', { path: { id } }),
    },
    async topUpTerms() {
      const status = await client.read('GET /api/status')
      const { top_up_link: link, price, min_topup: minimum, enable_online_topup: online } = status
      return { link, price, minimum, online }
    },
  }
}
