import type { ProviderContext } from '../providers/provider.ts'

const ENTRIES_MAX = 20_000
const BYTES_MAX = 32 * 1024 * 1024
/** Lifetime of a signature, which is long enough for slow tools. After that, the conversation continues without it. */
const LIVES_MS = 60 * 60_000

/**
 * Creates a store of the signatures of tool calls by call id, for clients that do not send the signatures back. The
 * store is only in memory: if a signature is lost, the model just thinks again. Beyond the limits, it removes the
 * oldest entries.
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
  /** Entries in order of insertion. They expire in the same order. */
  const entries = new Map<string, { signature: string; endsAt: number }>()
  let bytes = 0

  function remove(callId: string): void {
    const entry = entries.get(callId)
    if (!entry) return
    bytes -= sizeOf(callId, entry.signature)
    entries.delete(callId)
  }

  function makeRoom(): void {
    for (const [callId, { endsAt }] of entries) {
      if (endsAt > now() && entries.size <= entriesMax && bytes <= bytesMax) return
      remove(callId)
    }
  }

  return {
    get(callId) {
      const entry = entries.get(callId)
      return entry && entry.endsAt > now() ? entry.signature : undefined
    },
    set(callId, signature) {
      remove(callId)
      entries.set(callId, { signature, endsAt: now() + livesMs })
      bytes += sizeOf(callId, signature)
      makeRoom()
    },
  }
}

/** Returns the size in bytes. Reasoning that is stored as a signature may have any characters. */
const sizeOf = (callId: string, signature: string): number => Buffer.byteLength(callId) + Buffer.byteLength(signature)
