/** The payment gateway's name of each payment method, by the web client's name. */
export const PAYMENT_METHODS = { zfb: 'alipay', wx: 'wxpay' } as const
export const ORDER_STATUS = { pending: 'pending', success: 'success' } as const
