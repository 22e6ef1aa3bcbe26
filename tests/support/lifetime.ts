import { AsyncLocalStorage } from 'node:async_hooks'
import { beforeAll, onTestFinished } from 'vitest'

let endings: (() => unknown)[] | undefined

const concurrent = new AsyncLocalStorage<(() => unknown)[]>()

/**
 * Wraps a test that runs beside others: what it opens ends when it ends. Without it, Vitest assigns that to whichever test began
 * last.
 */
export const concurrently =
  <Parameters extends unknown[]>(test: (...parameters: Parameters) => Promise<void>) =>
  async (...parameters: Parameters): Promise<void> => {
    const own: (() => unknown)[] = []
    try {
      await concurrent.run(own, () => test(...parameters))
    } finally {
      for (const end of own.reverse()) await end()
    }
  }

/** Runs when what it is called in ends: a test, or what a file of tests shares. */
export function whenDone(end: () => unknown): void {
  const own = concurrent.getStore() ?? endings
  if (own) own.push(end)
  else
    onTestFinished(async () => {
      await end()
    })
}

/**
 * A world that all tests of a file or a `describe` share, since to open one takes longer than most of them. Answers how to get
 * at it, from inside a test.
 */
export function shared<World>(open: () => Promise<World>, { timeoutMs }: { timeoutMs?: number } = {}): () => World {
  let world: World | undefined
  beforeAll(async () => {
    const own: (() => unknown)[] = []
    endings = own
    try {
      world = await open()
    } finally {
      endings = undefined
    }
    return async () => {
      for (const end of own.reverse()) await end()
    }
  }, timeoutMs)
  return () => {
    if (world === undefined) throw new Error('What the tests share is not open yet')
    return world
  }
}
