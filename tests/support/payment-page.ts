import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export const MERCHANT = { id: '1001', key: 'SECRETKEY' } as const

/** The epay signature, implemented independently of the tested code. */
export function signed(params: Record<string, string>, key: string = MERCHANT.key): Record<string, string> {
  const names = Object.keys(params)
    .filter((name) => params[name] && name !== 'sign' && name !== 'sign_type')
    .sort()
  const text = names.map((name) => `${name}=${params[name]}`).join('&')
  return { ...params, sign: createHash('md5').update(`${text}${key}`, 'utf8').digest('hex'), sign_type: 'MD5' }
}

/** Returns the payment gateway's notification for a paid form. */
export function notificationOf(form: Record<string, string>, changes: Record<string, string> = {}) {
  const { pid = '', type = '', out_trade_no = '', name = '', money = '' } = form
  const paid = { pid, type, out_trade_no, name, money, trade_no: '2025021500001', trade_status: 'TRADE_SUCCESS' }
  return signed({ ...paid, ...changes })
}

export interface PaymentPage {
  url: string
  /** Posts a form like a browser. A signed form is accepted; returns the reply to its notification. */
  submit(url: string, form: Record<string, string>): Promise<string>
}

/** Starts a local payment gateway: it checks the form's signature and notifies at once, as if the order had been paid. */
export async function openPaymentPage(): Promise<PaymentPage> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()))
      if (request.url !== '/gate/submit.php' || signed(form).sign !== form.sign) return response.end('wrong signature')
      const notified = await fetch(`${form.notify_url}?${new URLSearchParams(notificationOf(form))}`)
      response.end(await notified.text())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/gate`,
    async submit(url, form) {
      const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) })
      return answer.text()
    },
  }
}
