import { withinDatabaseWait } from '../../../core/db/unavailable.ts'
import type { ReasoningStore } from '../../../core/thoughts.ts'
import type { ProviderContext } from '../providers/provider.ts'
import { createSignatures } from './signatures.ts'

/** The user to whom a model's reasoning was sent, and whether the database may store the reasoning. */
export interface ThoughtOwner {
  readonly userId: number
  readonly isStored: boolean
}

/** Stores the reasoning of models by user: in memory, and in the database for other processes. */
export type Thoughts = ReturnType<typeof createThoughts>

/**
 * Pattern of ids that are unique per user. Short ids, such as numbers from zero, occur again in other conversations of
 * the user.
 */
const UNIQUE_ID = /^[\w:-]{16,200}$/
/** Maximum characters of reasoning that the database stores. Longer reasoning remains only in memory. */
const THOUGHT_LENGTH_MAX = 256 * 1024
/** Marks a call for which the database has no reasoning, so that the database is not queried again. */
const NO_THOUGHT = ''

export function createThoughts(
  { store, isOn }: { store: Pick<ReasoningStore, 'add' | 'find'>; isOn: () => boolean },
  memory = createSignatures(),
) {
  let writing: Promise<unknown> | undefined

  function write(userId: number, callId: string, thought: string): void {
    // Ignore errors. If reasoning is lost, the model only thinks again.
    const allWrites = Promise.all([writing, withinDatabaseWait(store.add(userId, callId, thought))]).catch(() => {})
    writing = allWrites
    void allWrites.then(() => {
      if (writing === allWrites) writing = undefined
    })
  }

  return {
    /**
     * Resolves when pending reasoning is stored. Returns undefined if nothing is pending. Replies wait for the promise,
     * because another process may get the client's next request.
     */
    writing: (): Promise<unknown> | undefined => writing,
    of({ userId, isStored }: ThoughtOwner): ProviderContext['signatures'] {
      const keyOf = (callId: string) => `${userId} ${callId}`
      const mayStore = (callId: string) => isStored && isOn() && UNIQUE_ID.test(callId)
      return {
        get: (callId) => memory.get(keyOf(callId)) || undefined,
        set(callId, thought) {
          memory.set(keyOf(callId), thought)
          if (thought !== NO_THOUGHT && thought.length <= THOUGHT_LENGTH_MAX && mayStore(callId)) {
            write(userId, callId, thought)
          }
        },
        async load(callIds) {
          const missing = callIds.filter((id) => memory.get(keyOf(id)) === undefined && mayStore(id))
          if (missing.length === 0) return
          const storedThoughts = await store.find(userId, missing).catch(() => undefined)
          for (const id of storedThoughts ? missing : []) memory.set(keyOf(id), storedThoughts?.get(id) ?? NO_THOUGHT)
        },
      }
    },
  }
}
