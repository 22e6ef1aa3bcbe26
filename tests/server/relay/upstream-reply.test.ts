import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import { UpstreamBody } from '../../../server/relay/transport/upstream-reply.ts'

const CHUNK = Buffer.alloc(64 * 1024, 'x')

/** A body whose upstream has more to say whenever it may. */
function flood({ chunks }: { chunks: number }): UpstreamBody {
  const body = new UpstreamBody()
  let left = chunks
  let paused = false
  const fill = () => {
    while (!paused && left > 0) {
      left -= 1
      body.push(CHUNK)
    }
    if (left === 0) body.end(undefined)
  }
  body.controller = {
    pause: () => {
      paused = true
    },
    resume: () => {
      paused = false
      fill()
    },
  } as Dispatcher.DispatchController
  fill()
  return body
}

test('an upstream that is always ahead of its reader does not block others', async () => {
  const body = flood({ chunks: 100_000 })
  let turns = 0
  const turn = () => {
    turns += 1
    if (turns < 3) setImmediate(turn)
  }
  setImmediate(turn)
  const until = performance.now() + 5000
  while (turns < 3 && performance.now() < until) expect(await body.read()).toBeDefined()
  expect(turns).toBe(3)
})

test('buffered data is returned in parts, in order and complete, and the upstream resumes when there is room', async () => {
  const body = flood({ chunks: 20 })
  const sizes: number[] = []
  for await (const bytes of body) sizes.push(bytes.length)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(20 * CHUNK.length)
  expect(Math.max(...sizes)).toBe(CHUNK.length)
})

test('small chunks that arrived together are read together', async () => {
  const body = new UpstreamBody()
  for (const text of ['a', 'b', 'c']) body.push(Buffer.from(text))
  expect(String(await body.read())).toBe('abc')
})
