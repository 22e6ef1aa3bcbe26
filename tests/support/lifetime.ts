import { beforeAll, onTestFinished } from 'vitest'

let endings: (() => unknown)[] | undefined

/** Runs when what it is called in ends: a test, or what a file of tests shares. */
export function whenDone(end: () => unknown): void {
  if (endings) endings.push(end)
  else
    onTestFinished(async () => {
      await end()
    })
}

/**
 * A world that all tests of a file or a `describe` share, since to open one takes longer than most of them. Answers how to get
 * at it, from inside a test.
 */
export function shared<World>(open: () => Promise<World>): () => World {
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
  })
  return () => {
    if (world === undefined) throw new Error('What the tests share is not open yet')
    return world
  }
}
