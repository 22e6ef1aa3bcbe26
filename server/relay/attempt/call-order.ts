/** The fields of a tool-call delta that identify the call. */
interface CallSign {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly hasArguments: boolean
}

interface KnownCall {
  id: string
  hasName: boolean
  /** Whether the call has a name, and also an id or arguments. If so, another name starts another call. */
  isSealed: boolean
}

/**
 * Numbers the tool calls of one choice from 0, in the order in which they begin. The index in a delta is not reliable:
 * some upstreams omit the index, start at 1, leave gaps, or repeat an index. A new id starts a new call.
 */
export class CallOrder {
  private readonly calls: KnownCall[] = []
  /** The number of the latest call with each index. */
  private readonly byIndex = new Map<number, number>()

  /** Returns the number of the call to which the next delta belongs. Must be called once per delta. */
  numberOf({ index, id, name, hasArguments }: CallSign): number {
    let number = index === undefined ? this.findWithoutIndex(id, name) : (this.byIndex.get(index) ?? -1)
    const existing = this.calls[number]
    if (!existing || (id !== undefined && existing.id !== '' && existing.id !== id)) {
      number = this.calls.length
      this.calls.push({ id: '', hasName: false, isSealed: false })
    }
    if (index !== undefined) this.byIndex.set(index, number)
    const call = this.calls[number] as KnownCall
    call.id ||= id ?? ''
    call.hasName ||= name !== undefined
    call.isSealed ||= call.hasName && (call.id !== '' || hasArguments)
    return number
  }

  private findWithoutIndex(id: string | undefined, name: string | undefined): number {
    if (id) return this.calls.findIndex((call) => call.id === id)
    const last = this.calls.length - 1
    return name && this.calls[last]?.isSealed ? -1 : last
  }
}
