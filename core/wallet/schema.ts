import { type Static, Type } from 'typebox'

/** An order of quota that is paid online. */
export const Order = Type.Object(
  {
    id: Type.Integer(),
    user_id: Type.Integer(),
    username: Type.String({ description: 'empty if the account was deleted' }),
    amount: Type.Integer({ description: 'whole dollars' }),
    money: Type.Number({ description: 'to pay, in the currency of the payment gateway' }),
    quota: Type.Integer({ description: 'quota to credit; fixed at the creation of the order' }),
    trade_no: Type.String(),
    payment_method: Type.String({ description: 'zfb or wx; imported orders may have none, or another name' }),
    status: Type.String({ description: 'pending or success' }),
    create_time: Type.Integer({ description: 'unix seconds' }),
    complete_time: Type.Integer({ description: 'unix seconds; 0 = not yet' }),
  },
  { title: 'Order' },
)
export type Order = Static<typeof Order>

/** The form that a browser posts to the payment gateway. */
export const PaymentForm = Type.Object({
  pid: Type.String(),
  type: Type.String(),
  out_trade_no: Type.String(),
  notify_url: Type.String(),
  return_url: Type.String(),
  name: Type.String(),
  money: Type.String(),
  device: Type.String(),
  sign_type: Type.String(),
  sign: Type.String(),
})
export type PaymentForm = Static<typeof PaymentForm>

/** Outcomes of a notification. */
export const VERDICTS = ['credited', 'repeated', 'ignored', 'refused', 'failed'] as const
export type Verdict = (typeof VERDICTS)[number]
export type NotificationReason =
  | ''
  | 'too-long'
  | 'not-configured'
  | 'bad-signature'
  | 'wrong-merchant'
  | 'wrong-type'
  | 'wrong-money'
  | 'not-paid'
  | 'unknown-order'
  | 'already-credited'
  | 'account-gone'
  | 'not-booked'

/** A notification of the payment gateway and its verdict. */
export const PaymentCallback = Type.Object(
  {
    id: Type.Integer(),
    trade_no: Type.String(),
    params: Type.Record(Type.String(), Type.String()),
    ip: Type.String({ description: 'sender address; empty for a replay, and for an invalid address' }),
    verdict: Type.String({ description: VERDICTS.join(', ') }),
    reason: Type.String({ description: 'reason as a code; empty if the order was credited' }),
    replay_of: Type.Integer({ description: 'the replayed callback; 0 = sent by the payment gateway' }),
    actor_id: Type.Integer({ description: 'the administrator who replayed the callback; 0 = none' }),
    created_at: Type.Integer({ description: 'unix seconds' }),
  },
  { title: 'PaymentCallback' },
)
export type PaymentCallback = Static<typeof PaymentCallback>
