import type { ProviderContext } from '../providers/provider.ts'

const ENTRIES_MAX = 20_000
const BYTES_MAX = 32 * 1024 * 1024
/** Lifetime of a signature, long enough for slow tools. Afterward, the conversation continues without the signature. */
const LIFETIME_MS = 60 * 60_000

/**
 * Creates a store of the signatures of tool calls by call id, for clients that do not send the signatures back. The
 * store is only in memory: if a signature is lost, the model just thinks again. Beyond the limits, the store removes
 * the oldest signatures.
 */
export function createSignatures({
  entriesMax = ENTRIES_MAX,
  bytesMax = BYTES_MAX,
  livesMs = LIFETIME_MS,
  now = Date.now,
}: {
  entriesMax?: number
  bytesMax?: number
  livesMs?: number
  now?: () => number
} = {}): ProviderContext['signatures'] {
  /** Signatures by call id, in the order of insertion, which is also the order of expiration. */
  const signatures = new Map<string, { signature: string; endsAt: number }>()
  let bytes = 0

  function remove(callId: string): void {
    const stored = signatures.get(callId)
    if (!stored) return
    bytes -= sizeOf(callId, stored.signature)
    signatures.delete(callId)
  }

  function makeRoom(): void {
    for (const [callId, { endsAt }] of signatures) {
      if (endsAt > now() && signatures.size <= entriesMax && bytes <= bytesMax) return
      remove(callId)
    }
  }

  return {
    get(callId) {
      const stored = signatures.get(callId)
      return stored && stored.endsAt > now() ? stored.signature : undefined
    },
    set(callId, signature) {
      remove(callId)
      signatures.set(callId, { signature, endsAt: now() + livesMs })
      bytes += sizeOf(callId, signature)
      makeRoom()
    },
  }
}

/** Returns the size in bytes. Reasoning that is stored as a signature may have any characters. */
const sizeOf = (callId: string, signature: string): number => Buffer.byteLength(callId) + Buffer.byteLength(signature)
