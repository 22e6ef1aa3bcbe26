import type { Interface } from 'node:readline'

/** Lines in turn: those that come while nobody asks, as when several are pasted, wait. */
export function createLineQueue(reader: Interface): { next(ask: () => void): Promise<string | undefined> } {
  const waiting: string[] = []
  let closed = false
  let deliver: ((line: string | undefined) => void) | undefined
  reader.on('line', (line) => {
    if (deliver) deliver(line)
    else waiting.push(line)
  })
  reader.on('close', () => {
    closed = true
    deliver?.(undefined)
  })
  return {
    /** `ask` is called when there is none yet. Undefined at the end. */
    async next(ask) {
      const line = waiting.shift()
      if (line !== undefined || closed) return line
      ask()
      return new Promise((resolve) => {
        deliver = (next) => {
          deliver = undefined
          resolve(next)
        }
      })
    },
  }
}
