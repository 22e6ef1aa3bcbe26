/** An automatic change of the status of a channel or key. Each change is reported once. */
export interface ChannelChange {
  channelId: number
  name: string
  event: 'disabled' | 'enabled' | 'key-disabled' | 'key-enabled'
  /** Reason for the disabling, from the upstream or a rule; empty if the channel or key was enabled. */
  reason: string
  /** Digest of the key, if the change concerns one of several keys. */
  key?: string
}

type ChannelChangeListener = (change: ChannelChange) => void

/** Distributes committed status changes. */
export interface StatusChanges {
  notify(change: ChannelChange): void
  /** Calls the listener for each automatic change by this process. Returns a function that unsubscribes it. */
  onChange(listener: ChannelChangeListener): () => void
}

export function createStatusChanges(): StatusChanges {
  const listeners = new Set<ChannelChangeListener>()
  return {
    notify(change) {
      for (const listener of listeners) listener(change)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
