import { GatewayError } from '../../../core/errors.ts'
import { REALTIME_KEY_PREFIX, type RealtimeKey } from '../../../core/realtime-keys.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { type Caller, callerOfToken, identifyCaller } from './authenticate.ts'

/**
 * Identifies the caller of a realtime session by an API key or a short-lived key. A short-lived key was created with an
 * API key, and is valid only while that API key is valid. Throws TOKEN_*, USER_DISABLED, CHANNEL_*,
 * DATABASE_UNAVAILABLE.
 */
export async function identifySession(
  toolkit: Pick<LocalToolkit, 'callers' | 'tokens' | 'realtimeKeys'>,
  { key, address }: { key: string; address: string },
): Promise<{ caller: Caller; realtimeKey: RealtimeKey | undefined }> {
  if (!key.startsWith(REALTIME_KEY_PREFIX)) {
    return { caller: await identifyCaller(toolkit, { key, address }), realtimeKey: undefined }
  }
  const realtimeKey = await toolkit.realtimeKeys.find(key)
  if (!realtimeKey) throw new GatewayError('TOKEN_INVALID')
  const { tokenId, pinnedChannelId } = realtimeKey
  const caller = await callerOfToken(toolkit.callers, { tokenId, pinnedChannelId, address, now: Date.now() / 1000 })
  return { caller, realtimeKey }
}
