import { createHash, createHmac } from 'node:crypto'

const ALGORITHM = 'TC3-HMAC-SHA256'
const SERVICE = 'hunyuan'
const CONTENT_TYPE = 'application/json'
const SIGNED_HEADERS = 'content-type;host;x-tc-action'
const SECOND_MS = 1000

/**
 * Returns the headers of a signed request to Tencent Cloud, valid for five minutes. `body` must be exactly the text
 * that is sent. `nowMs` is in milliseconds since the epoch. https://cloud.tencent.com/document/api/1729/101843
 */
export function signedHeaders({
  url,
  action,
  version,
  body,
  secretId,
  secretKey,
  nowMs,
}: {
  url: URL
  action: string
  version: string
  body: string
  secretId: string
  secretKey: string
  nowMs: number
}): Record<string, string> {
  const seconds = Math.floor(nowMs / SECOND_MS)
  const date = new Date(seconds * SECOND_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)
  const scope = `${date}/${SERVICE}/tc3_request`
  const canonical = canonicalRequest({ url, action, body })
  const text = [ALGORITHM, seconds, scope, sha256(canonical)].join('\n')
  const key = [date, SERVICE, 'tc3_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `TC3${secretKey}`,
  )
  const signature = hmac(key, text).toString('hex')
  return {
    'content-type': CONTENT_TYPE,
    authorization: `${ALGORITHM} Credential=${secretId}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`,
    'x-tc-action': action,
    'x-tc-version': version,
    'x-tc-timestamp': String(seconds),
  }
}

/** Returns the canonical request, whose hash is signed. It contains the action in lower case. */
export function canonicalRequest({ url, action, body }: { url: URL; action: string; body: string }): string {
  return [
    'POST',
    url.pathname,
    '',
    `content-type:${CONTENT_TYPE}`,
    `host:${url.host}`,
    `x-tc-action:${action.toLowerCase()}`,
    '',
    SIGNED_HEADERS,
    sha256(body),
  ].join('\n')
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
