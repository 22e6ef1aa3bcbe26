/** The fields of a tool-call delta that identify its call. */
export interface CallSign {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly hasArguments: boolean
}

interface KnownCall {
  id: string
  named: boolean
  /** The name is complete, and a later part of the call has arrived: another name starts another call. */
  sealed: boolean
}

/**
 * Numbers the calls of one choice from 0, in the order they begin. Indices from chat-completions upstreams may be missing,
 * start at 1, have holes, or repeat for two calls; a new id is a new call.
 */
export class CallOrder {
  private readonly calls: KnownCall[] = []
  /** The latest call with each index. */
  private readonly byIndex = new Map<number, number>()

  /** Returns the number of the call that the next delta belongs to. Call it once per delta. */
  numberOf({ index, id, name, hasArguments }: CallSign): number {
    let number = index === undefined ? this.withoutIndex(id, name) : (this.byIndex.get(index) ?? -1)
    const known = this.calls[number]
    if (!known || (id !== undefined && known.id !== '' && known.id !== id)) {
      number = this.calls.length
      this.calls.push({ id: '', named: false, sealed: false })
    }
    if (index !== undefined) this.byIndex.set(index, number)
    const call = this.calls[number] as KnownCall
    call.id ||= id ?? ''
    call.named ||= name !== undefined
    call.sealed ||= call.named && (call.id !== '' || hasArguments)
    return number
  }

  private withoutIndex(id: string | undefined, name: string | undefined): number {
    if (id) return this.calls.findIndex((call) => call.id === id)
    const last = this.calls.length - 1
    return name && this.calls[last]?.sealed ? -1 : last
  }
}
