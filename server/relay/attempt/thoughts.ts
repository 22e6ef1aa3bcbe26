import { withinDatabaseWait } from '../../../core/db/unavailable.ts'
import type { KeptThoughts } from '../../../core/thoughts.ts'
import type { ProviderContext } from '../providers/provider.ts'
import { createSignatures } from './signatures.ts'

/** The user who owns thoughts, and whether the thoughts may be stored in the database. */
export interface ThoughtOwner {
  readonly userId: number
  readonly isStored: boolean
}

/** The thoughts of all users. They are in memory, and also in the database for other processes. */
export interface Thoughts {
  of(owner: ThoughtOwner): ProviderContext['signatures']
  /**
   * Returns the pending writes; undefined if there are none. A reply waits for them: its client may continue at another process.
   */
  writing(): Promise<unknown> | undefined
}

/** Ids of calls that are unique per user. Short ids, such as numbers from zero, repeat in other conversations of the user. */
const UNIQUE_ID = /^[\w:-]{16,200}$/
/** Maximum characters of a thought in the database. Longer thoughts are only in memory. */
const THOUGHT_LENGTH_MAX = 256 * 1024
/** Marks a call that is not in the database, so that the database is queried only once. */
const NOTHING = ''

export function createThoughts(
  { store, isOn }: { store: Pick<KeptThoughts, 'add' | 'find'>; isOn: () => boolean },
  memory = createSignatures(),
): Thoughts {
  let writing: Promise<unknown> | undefined

  function write(userId: number, callId: string, thought: string): void {
    // Ignore errors: a lost thought only means that the model thinks again, so it must not fail the relay.
    const written = Promise.all([writing, withinDatabaseWait(store.add(userId, callId, thought))]).catch(() => {})
    writing = written
    void written.then(() => {
      if (writing === written) writing = undefined
    })
  }

  return {
    writing: () => writing,
    of({ userId, isStored }) {
      const keyOf = (callId: string) => `${userId} ${callId}`
      const mayStore = (callId: string) => isStored && isOn() && UNIQUE_ID.test(callId)
      return {
        get: (callId) => memory.get(keyOf(callId)) || undefined,
        set(callId, thought) {
          memory.set(keyOf(callId), thought)
          if (thought !== NOTHING && thought.length <= THOUGHT_LENGTH_MAX && mayStore(callId)) {
            write(userId, callId, thought)
          }
        },
        async load(callIds) {
          const missing = callIds.filter((id) => memory.get(keyOf(id)) === undefined && mayStore(id))
          if (missing.length === 0) return
          const found = await store.find(userId, missing).catch(() => undefined)
          for (const id of found ? missing : []) memory.set(keyOf(id), found?.get(id) ?? NOTHING)
        },
      }
    },
  }
}
