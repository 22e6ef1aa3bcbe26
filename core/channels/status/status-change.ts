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
export type StatusChanges = ReturnType<typeof createStatusChanges>

export function createStatusChanges() {
  const listeners = new Set<ChannelChangeListener>()
  return {
    notify(change: ChannelChange): void {
      for (const listener of listeners) listener(change)
    },
    /** Calls the listener for each automatic change by this process. Returns a function that unsubscribes it. */
    onChange(listener: ChannelChangeListener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
