import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { parseObject } from '../../../../core/input.ts'
import { numberOf, textOf } from '../../json.ts'
import type { ProviderContext } from '../provider.ts'

const SECOND_MS = 1000

/**
 * Returns the channel's access token, cached for its lifetime of 30 days. Throws CHANNEL_MISCONFIGURED if the key is
 * not a pair, or if Baidu returns an error instead of a token. Throws UPSTREAM_FAILED if there is neither.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5
 */
export function baiduAccessToken(channel: LiveChannel, means: ProviderContext): Promise<string> {
  const [client, secret] = channel.key.split('|').map((part) => part.trim())
  if (!client || !secret) throw misconfigured(channel, 'the key must be APIKey|SecretKey')
  return means.credential(credentialName(channel), async () => {
    const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: client, client_secret: secret })
    const { status, body } = await means.call({
      url: `${channel.baseUrl}/oauth/2.0/token?${query}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: null,
    })
    const reply = parseObject(body.toString('utf8'))
    const value = textOf(reply?.access_token)
    if (value) return { value, expiresAt: means.now() + (numberOf(reply?.expires_in) ?? 0) * SECOND_MS }
    const reason = textOf(reply?.error_description) ?? textOf(reply?.error)
    if (reason) throw misconfigured(channel, `Baidu returns no token for the channel's key: ${reason}`)
    throw new GatewayError('UPSTREAM_FAILED', {}, { cause: new Error(`The token endpoint answered ${status}`) })
  })
}

/** Returns the cache key of a channel's access token. */
export function credentialName({ baseUrl, key }: Pick<LiveChannel, 'baseUrl' | 'key'>): string {
  return `baidu ${baseUrl} ${key}`
}

function misconfigured({ id }: LiveChannel, reason: string): GatewayError {
  return new GatewayError('CHANNEL_MISCONFIGURED', { id, reason })
}
