import type { Interface } from 'node:readline'

/** Queues lines that arrive between prompts, for example pasted lines. */
export function createLineQueue(reader: Interface): { next(ask: () => void): Promise<string | undefined> } {
  const queuedLines: string[] = []
  let closed = false
  let deliver: ((line: string | undefined) => void) | undefined
  reader.on('line', (line) => {
    if (deliver) deliver(line)
    else queuedLines.push(line)
  })
  reader.on('close', () => {
    closed = true
    deliver?.(undefined)
  })
  return {
    /** Returns the next line, or undefined at the end of the input. Calls `ask` if no line is queued. */
    async next(ask) {
      const line = queuedLines.shift()
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
