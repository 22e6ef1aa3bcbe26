import { Sha256 } from '@aws-crypto/sha256-js'
import { SignatureV4 } from '@smithy/signature-v4'
import type { BedrockKey } from './key.ts'

/**
 * The headers that prove who sends these bytes. https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 *
 * Signed are host, type and time: other headers may still be changed on their way.
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
    sha256: Sha256,
    applyChecksum: false,
  })
  const signed = await signer.sign(
    // The path is encoded once more by the signer, as every service but S3 wants it.
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
  const { host: _, 'content-type': __, ...proof } = signed.headers
  return proof
}
