import { type Actor, ROLE, requireRole } from '../actor.ts'
import type { Audit } from '../audit/audit.ts'
import type { Page, Paging } from '../input.ts'
import { type Budget, budgetOf } from './billing.ts'
import { type CallbackQuery, createCallbacks } from './callbacks.ts'
import { createNotifications, type NotificationParts } from './notifications.ts'
import { createOrders, type OrderQuery } from './orders.ts'
import type { Order, PaymentCallback } from './schema.ts'

/** Manages online top-ups, and reads the budgets of keys. */
export type Wallet = ReturnType<typeof createWallet>

export function createWallet({ audit, ...parts }: Omit<NotificationParts, 'callbacks'> & { audit: Audit }) {
  const callbacks = createCallbacks(parts)
  const orders = createOrders(parts)
  const judge = createNotifications({ ...parts, callbacks })
  return {
    /** Returns the price of a top-up, with two decimals. Throws TOPUP_*, PARAMETERS_WRONG, USER_NOT_FOUND. */
    amountToPay: orders.amountToPay,
    /**
     * Creates an order. Returns its payment form, and the URL to which a browser posts the form. Throws like
     * `amountToPay`, and FIELD_CHOICE, PAYMENT_UNCONFIGURED, ORDERS_UNPAID, ORDER_UNSAVED.
     */
    pay: orders.pay,
    /** Returns orders of all users, newest first. Throws PERMISSION_DENIED if the actor is not an administrator. */
    async orders(actor: Actor, query: OrderQuery = {}): Promise<Page<Order>> {
      requireRole(actor, ROLE.admin)
      return orders.list(query)
    },
    /** Returns the actor's orders, newest first. */
    ownOrders: ({ id }: Actor, paging: Paging = {}): Promise<Page<Order>> => orders.list({ ...paging, userId: id }),
    /** Judges a notification of the payment gateway and stores it. Does not throw for invalid contents. */
    notify: (params: Readonly<Record<string, string>>, ip: string): Promise<PaymentCallback> =>
      judge(params, { ip, replay_of: 0, actor_id: 0 }),
    /** Returns stored notifications, newest first. Throws PERMISSION_DENIED if the actor is not an administrator. */
    async callbacks(actor: Actor, query: CallbackQuery = {}): Promise<Page<PaymentCallback>> {
      requireRole(actor, ROLE.admin)
      return callbacks.list(query)
    },
    /**
     * Judges a stored notification again, with the current settings. Stores the result as a new notification and
     * returns it. Throws CALLBACK_NOT_FOUND, and PERMISSION_DENIED if the actor is not an administrator.
     */
    async replay(actor: Actor, id: number): Promise<PaymentCallback> {
      requireRole(actor, ROLE.admin)
      const { params } = await callbacks.get(id)
      const origin = { ip: '', replay_of: id, actor_id: actor.id }
      return judge(params, origin, (trx, { trade_no, verdict, reason }) => {
        const after = { trade_no, verdict, reason }
        return audit.write(trx, actor, { action: 'payment.replay', object: `payment:${id}`, after })
      })
    },
    /** Returns the budget of a key or of its owner, see `budgetOf`. Throws TOKEN_INVALID. */
    budget: (caller: { tokenId: number; userId: number }): Promise<Budget> => budgetOf(caller, parts),
  }
}
