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
