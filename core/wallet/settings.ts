import type { Options } from '../options/options.ts'
import { OPTIONS } from '../options/registry.ts'

/** The address of the payment gateway and the credentials for it. */
export interface PaymentSettings {
  /** The URL to which browsers post payment forms. */
  readonly url: string
  readonly merchantId: string
  readonly key: string
}

/** Returns the settings of online payment, or undefined if it is not configured or its address is invalid. */
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
