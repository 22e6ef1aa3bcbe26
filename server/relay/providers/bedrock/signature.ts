import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { BedrockKey } from './key.ts'

/**
 * Returns authentication headers. A signature covers only the body and the headers host, content type and time, because
 * other headers may still change.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export async function credentialHeaders(
  { url, body, contentType, at }: { url: string; body: string; contentType: string; at: Date },
  key: BedrockKey,
): Promise<Record<string, string>> {
  if ('bearer' in key) return { authorization: `Bearer ${key.bearer}` }
  const { protocol, host, hostname, pathname } = new URL(url)
  const signer = new SignatureV4({
    service: 'bedrock',
    region: key.region,
    credentials: key,
    sha256: NodeSha256,
    applyChecksum: false,
  })
  const signed = await signer.sign(
    // The signer encodes the path a second time, as every AWS service except S3 requires.
    {
      method: 'POST',
      protocol,
      hostname,
      path: pathname,
      query: {},
      headers: { host, 'content-type': contentType },
      body,
    },
    { signingDate: at },
  )
  const { host: _, 'content-type': __, ...authentication } = signed.headers
  return authentication
}

/** SHA-256 for the signer: an HMAC if there is a secret, otherwise a plain hash. */
class NodeSha256 {
  private readonly hash
  constructor(secret?: Data) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret))
  }
  update(data: Data): void {
    this.hash.update(bytesOf(data))
  }
  async digest(): Promise<Uint8Array> {
    return this.hash.digest()
  }
}

type Data = string | ArrayBuffer | ArrayBufferView

function bytesOf(data: Data): string | Uint8Array {
  if (typeof data === 'string') return data
  return ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data)
}
