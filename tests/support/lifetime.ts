import { AsyncLocalStorage } from 'node:async_hooks'
import { beforeAll, onTestFinished } from 'vitest'

let endings: (() => unknown)[] | undefined

const concurrent = new AsyncLocalStorage<(() => unknown)[]>()

/**
 * Wraps a concurrent test, so that its resources close at its end. Vitest would assign them to the test that started
 * last.
 */
export const concurrently =
  <Parameters extends unknown[]>(test: (...parameters: Parameters) => Promise<void>) =>
  async (...parameters: Parameters): Promise<void> => {
    const endingsHere: (() => unknown)[] = []
    try {
      await concurrent.run(endingsHere, () => test(...parameters))
    } finally {
      for (const end of endingsHere.reverse()) await end()
    }
  }

/** Runs `end` when the current test ends, or the group of tests that shares the resource. */
export function whenDone(end: () => unknown): void {
  const current = concurrent.getStore() ?? endings
  if (current) current.push(end)
  else
    onTestFinished(async () => {
      await end()
    })
}

/**
 * Opens a fixture shared by all tests of a file or a `describe`, because opening takes longer than most tests. Returns a
 * getter for use inside tests.
 */
export function shared<Fixture>(
  open: () => Promise<Fixture>,
  { timeoutMs }: { timeoutMs?: number } = {},
): () => Fixture {
  let fixture: Fixture | undefined
  beforeAll(async () => {
    const endingsHere: (() => unknown)[] = []
    endings = endingsHere
    try {
      fixture = await open()
    } finally {
      endings = undefined
    }
    return async () => {
      for (const end of endingsHere.reverse()) await end()
    }
  }, timeoutMs)
  return () => {
    if (fixture === undefined) throw new Error('What the tests share is not open yet')
    return fixture
  }
}
