import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'

/** How to reach the payment gateway, and who we are there. */
export interface PaymentSettings {
  /** Where a payment form is sent. */
  readonly url: string
  readonly merchantId: string
  readonly key: string
}

/** Undefined while online payment is not set up, or its address is none. */
export function paymentSettings(options: Options): PaymentSettings | undefined {
  const merchantId = options.get(OPTIONS.EpayId)
  const key = options.get(OPTIONS.EpayKey)
  const url = submitUrl(options.get(OPTIONS.PayAddress))
  return merchantId === '' || key === '' || url === undefined ? undefined : { url, merchantId, key }
}

function submitUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) return undefined
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/submit.php`
  return url.href
}
