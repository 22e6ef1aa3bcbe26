import type { ProviderContext } from '../providers/provider.ts'

const ENTRIES_MAX = 20_000
const BYTES_MAX = 32 * 1024 * 1024
/** Long enough for slow tools and a lunch break; an older conversation continues without the signature. */
const LIVES_MS = 60 * 60_000

/**
 * Signatures of tool calls by call id, for clients that do not send them back. In memory: a lost signature only costs the model
 * a thought. Evicts the oldest entries beyond the limits.
 */
export function createSignatures({
  entriesMax = ENTRIES_MAX,
  bytesMax = BYTES_MAX,
  livesMs = LIVES_MS,
  now = Date.now,
}: {
  entriesMax?: number
  bytesMax?: number
  livesMs?: number
  now?: () => number
} = {}): ProviderContext['signatures'] {
  /** In order of insertion, which is the order of expiry. */
  const kept = new Map<string, { signature: string; endsAt: number }>()
  let bytes = 0

  function remove(callId: string): void {
    const entry = kept.get(callId)
    if (!entry) return
    bytes -= sizeOf(callId, entry.signature)
    kept.delete(callId)
  }

  function makeRoom(): void {
    for (const [callId, { endsAt }] of kept) {
      if (endsAt > now() && kept.size <= entriesMax && bytes <= bytesMax) return
      remove(callId)
    }
  }

  return {
    get(callId) {
      const entry = kept.get(callId)
      return entry && entry.endsAt > now() ? entry.signature : undefined
    },
    set(callId, signature) {
      remove(callId)
      kept.set(callId, { signature, endsAt: now() + livesMs })
      bytes += sizeOf(callId, signature)
      makeRoom()
    },
  }
}

/** Both are ASCII in practice. */
const sizeOf = (callId: string, signature: string): number => callId.length + signature.length
