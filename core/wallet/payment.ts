/** The web client's names of the payment methods, and the payment gateway's names for them. */
export const PAYMENT_METHODS = { zfb: 'alipay', wx: 'wxpay' } as const
export type PaymentMethod = keyof typeof PAYMENT_METHODS

export const ORDER_STATUS = { pending: 'pending', success: 'success' } as const
