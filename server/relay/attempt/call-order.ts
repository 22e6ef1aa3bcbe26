/** What a delta of a tool call tells of which call it belongs to. */
export interface CallSign {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly hasArguments: boolean
}

interface Begun {
  id: string
  named: boolean
  /** Its name is known, and something that follows a name has come: another name is another call's. */
  sealed: boolean
}

/**
 * Counts the calls of one choice from 0, in the order they begin. The indices of upstreams that speak chat completions are
 * missing, start at 1, have holes, or stand for two calls; a new id is a new call.
 */
export class CallOrder {
  private readonly calls: Begun[] = []
  /** The newest call that had this index. */
  private readonly byIndex = new Map<number, number>()

  /** Which call the next delta belongs to. To be asked once for each. */
  numberOf({ index, id, name, hasArguments }: CallSign): number {
    let number = index === undefined ? this.withoutIndex(id, name) : (this.byIndex.get(index) ?? -1)
    const known = this.calls[number]
    if (!known || (id !== undefined && known.id !== '' && known.id !== id)) {
      number = this.calls.length
      this.calls.push({ id: '', named: false, sealed: false })
    }
    if (index !== undefined) this.byIndex.set(index, number)
    const call = this.calls[number] as Begun
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
