import type { Means } from '../providers/provider.ts'

const ENTRIES_MAX = 20_000
const BYTES_MAX = 32 * 1024 * 1024
/** A tool may run for long, and its user may go to lunch; a conversation that rests longer gets by without. */
const LIVES_MS = 60 * 60_000

/**
 * Signatures of tool calls by call id, for clients that do not send them back with their next request. In memory: losing
 * one costs the model a thought, nothing else. The oldest give way when there are too many, or too large ones.
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
} = {}): Means['signatures'] {
  /** In the order in which they end, which is the order in which they came. */
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
