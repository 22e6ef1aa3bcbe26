import { createHmac } from 'node:crypto'

const HEADER = encoded({ alg: 'HS256', sign_type: 'SIGN' })
const VALID_MS = 24 * 60 * 60 * 1000

/**
 * What a key of two parts, `id.secret`, goes on as: a token that is good for a day. Times in it are milliseconds, against
 * the standard. A key that is no pair is its own token. https://open.bigmodel.cn/dev/api#sdk_auth
 */
export function zhipuToken(key: string, nowMs: number): string {
  const [id, secret] = key.trim().split('.')
  if (!id || !secret) return `Bearer ${key.trim()}`
  const signed = `${HEADER}.${encoded({ api_key: id, exp: nowMs + VALID_MS, timestamp: nowMs })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

function encoded(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
