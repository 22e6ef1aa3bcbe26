import { GatewayError } from '../../../core/errors.ts'
import { REALTIME_KEY_PREFIX, type RealtimeKey } from '../../../core/realtime-keys.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { type Caller, callerOfToken, identify } from './authenticate.ts'

/**
 * Identifies the client of a realtime session by an API key, or by a short-lived key that was created with one and is valid as
 * long as that API key. Throws TOKEN_*, USER_DISABLED, DATABASE_UNAVAILABLE.
 */
export async function identifySession(
  toolkit: Pick<LocalToolkit, 'callers' | 'tokens' | 'realtimeKeys'>,
  { key, address }: { key: string; address: string },
): Promise<{ caller: Caller; realtimeKey: RealtimeKey | undefined }> {
  if (!key.startsWith(REALTIME_KEY_PREFIX)) {
    return { caller: await identify(toolkit, { key, address }), realtimeKey: undefined }
  }
  const realtimeKey = await toolkit.realtimeKeys.find(key)
  if (!realtimeKey) throw new GatewayError('TOKEN_INVALID')
  const { tokenId, pinnedChannelId } = realtimeKey
  const caller = await callerOfToken(toolkit.callers, { tokenId, pinnedChannelId, address, now: Date.now() / 1000 })
  return { caller, realtimeKey }
}
