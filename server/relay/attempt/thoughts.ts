import { withinDatabaseWait } from '../../../core/db/unavailable.ts'
import type { KeptThoughts } from '../../../core/thoughts.ts'
import type { Means } from '../providers/provider.ts'
import { createSignatures } from './signatures.ts'

/** Whose thoughts they are, and whether they may be written to the database. */
export interface ThoughtOwner {
  readonly userId: number
  readonly isStored: boolean
}

/** Thoughts of all users: in memory, and in the database for the other processes. */
export interface Thoughts {
  of(owner: ThoughtOwner): Means['signatures']
  /** What is being written: a reply ends after it, since its client may go on at another process. Undefined: nothing. */
  writing(): Promise<unknown> | undefined
}

/** Ids that count from zero are in many conversations of one user. */
const UNIQUE_ID = /^[\w:-]{16,200}$/
/** What is longer stays in memory. */
const THOUGHT_LENGTH_MAX = 256 * 1024
/** Stands in memory for calls of which the database has nothing: it is asked once. */
const NOTHING = ''

export function createThoughts(
  { store, isOn }: { store: Pick<KeptThoughts, 'add' | 'find'>; isOn: () => boolean },
  memory = createSignatures(),
): Thoughts {
  let writing: Promise<unknown> | undefined

  function write(userId: number, callId: string, thought: string): void {
    // A thought that is lost costs the model some thinking, and the relay nothing.
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
