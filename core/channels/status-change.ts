/** A status that the gateway itself has changed, told once for each change. */
export interface ChannelChange {
  channelId: number
  name: string
  event: 'disabled' | 'enabled' | 'key-disabled' | 'key-enabled'
  /** Why, in the words of the upstream or of a rule; empty when it came back. */
  reason: string
  /** Of several keys, the one that it is about: its digest. */
  key?: string
}

export type ChannelChangeListener = (change: ChannelChange) => void

/** Where changes of status are told, once they are made. */
export interface StatusChanges {
  tell(change: ChannelChange): void
  /** Tells of each automatic change that this process makes. Answers a function that stops it. */
  onChange(listener: ChannelChangeListener): () => void
}

export function createStatusChanges(): StatusChanges {
  const listeners = new Set<ChannelChangeListener>()
  return {
    tell(change) {
      for (const listener of listeners) listener(change)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
