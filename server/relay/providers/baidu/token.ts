import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { numberOf, parseObject, textOf } from '../../json.ts'
import type { Means } from '../provider.ts'

const SECOND_MS = 1000

/**
 * The access token that all of a channel's requests carry; asked for once, and good for 30 days. Throws
 * CHANNEL_MISCONFIGURED for a key that is no pair or that Baidu refuses, UPSTREAM_FAILED when it cannot answer.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5
 */
export function accessToken(channel: LiveChannel, means: Means): Promise<string> {
  const [client, secret] = channel.key.split('|').map((part) => part.trim())
  if (!client || !secret) throw misconfigured(channel, 'the key must be APIKey|SecretKey')
  return means.credential(credentialName(channel), async () => {
    const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: secret })
    const { status, body } = await means.call({
      url: `${channel.baseUrl}/oauth/2.0/token?${query}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: null,
    })
    const answer = parseObject(body.toString('utf8'))
    const value = textOf(answer?.access_token)
    if (value) return { value, expiresAt: means.now() + (numberOf(answer?.expires_in) ?? 0) * SECOND_MS }
    const reason = textOf(answer?.error_description) ?? textOf(answer?.error)
    if (reason) throw misconfigured(channel, `Baidu gives no token for its key: ${reason}`)
    throw new GatewayError('UPSTREAM_FAILED', {}, { cause: new Error(`The token endpoint answered ${status}`) })
  })
}

/** Under which the token of a channel is kept. */
export function credentialName({ baseUrl, key }: Pick<LiveChannel, 'baseUrl' | 'key'>): string {
  return `baidu ${baseUrl} ${key}`
}

function misconfigured({ id }: LiveChannel, reason: string): GatewayError {
  return new GatewayError('CHANNEL_MISCONFIGURED', { id, reason })
}
