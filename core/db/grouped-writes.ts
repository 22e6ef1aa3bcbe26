/** A turn of the event loop gathers what ends at the same time. */
const nextTurn = () => new Promise(setImmediate)

/**
 * Returns a function that writes one value and resolves when it is committed. Values that arrive while a batch is written are
 * written together with the next, so that many callers share one transaction. A batch that fails rejects for all its callers.
 */
export function groupedWrites<Value>(
  write: (values: readonly Value[]) => Promise<void>,
): (value: Value) => Promise<void> {
  let waiting: Value[] = []
  let gathering: Promise<void> | undefined
  /** The batch that is being written: the next begins after it. */
  let before: Promise<unknown> = Promise.resolve()

  async function writeNext(): Promise<void> {
    await nextTurn()
    await before
    const values = waiting
    waiting = []
    gathering = undefined
    const writing = write(values)
    before = writing.catch(() => {})
    await writing
  }

  return (value) => {
    waiting.push(value)
    gathering ??= writeNext()
    return gathering
  }
}
