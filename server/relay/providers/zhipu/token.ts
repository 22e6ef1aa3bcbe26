import { createHmac } from 'node:crypto'

const HEADER = encodeSegment({ alg: 'HS256', sign_type: 'SIGN' })
const VALID_MS = 24 * 60 * 60 * 1000

/**
 * Returns the value of the `authorization` header. For a key of the form `id.secret`, it is a JWT that is valid for a
 * day. Unlike in standard JWTs, the times are in milliseconds. https://open.bigmodel.cn/dev/api#sdk_auth
 *
 * Any other key is sent as a bearer token.
 */
export function zhipuToken(key: string, nowMs: number): string {
  const [id, secret] = key.trim().split('.')
  if (!id || !secret) return `Bearer ${key.trim()}`
  const signedPart = `${HEADER}.${encodeSegment({ api_key: id, exp: nowMs + VALID_MS, timestamp: nowMs })}`
  return `${signedPart}.${createHmac('sha256', secret).update(signedPart).digest('base64url')}`
}

function encodeSegment(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
