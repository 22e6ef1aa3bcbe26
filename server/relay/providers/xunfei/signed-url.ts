import { createHmac } from 'node:crypto'

/**
 * Returns a signed URL for a Spark websocket, valid for five minutes. `url` is a ws or wss URL without a query.
 * https://www.xfyun.cn/doc/spark/general_url_authentication.html
 */
export function signedUrl(
  url: URL,
  { apiKey, apiSecret, nowMs }: { apiKey: string; apiSecret: string; nowMs: number },
): string {
  const { host, pathname } = url
  const date = new Date(nowMs).toUTCString()
  const signature = createHmac('sha256', apiSecret)
    .update(`host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`)
    .digest('base64')
  const authorization = Buffer.from(
    `hmac username="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
  ).toString('base64')
  const query = Object.entries({ host, date, authorization }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return `${url.protocol}//${host}${pathname}?${query.join('&')}`
}
