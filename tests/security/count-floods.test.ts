import { expect, test } from 'vitest'
import type { Tokenizer } from '../../server/relay/counting/tokenizer.ts'

/*
 * Counting tokens is free, and done by one thread, which also counts what replies are charged for: the end of a reply waits for that.
 */

/** The built one: a worker thread is a file of its own. */
async function builtTokenizer(): Promise<Tokenizer> {
  const { createTokenizer } = await import('../../dist/server/relay/counting/tokenizer.js' as string)
  return createTokenizer()
}

const LONG = Array.from({ length: 150_000 }, (_, at) => ((at * 7919) % 65_536).toString(36)).join(' ')
const FLOOD = 60

test('a flood of free counts delays a charge by one of them at most', { timeout: 60_000 }, async () => {
  const tokenizer = await builtTokenizer()
  await tokenizer.count('gpt-4o', ['a vocabulary is loaded'])

  const flood = Array.from({ length: FLOOD }, () => tokenizer.count('gpt-4o', [LONG], { isFree: true }))
  const began = performance.now()
  const charged = await tokenizer.count('gpt-4o', ['hello world'])
  const waited = performance.now() - began

  expect(charged).toBe(2)
  expect(waited).toBeLessThan(1500)
  // Each has a number, exact or estimated.
  for (const tokens of await Promise.all(flood)) expect(tokens).toBeGreaterThan(100_000)
  expect(performance.now() - began).toBeLessThan(10_000)
  await tokenizer.close()
})

test('a few concurrent free counts are exact', async () => {
  const tokenizer = await builtTokenizer()
  await tokenizer.count('gpt-4o', ['a vocabulary is loaded'])

  const counts = Array.from({ length: 20 }, () => tokenizer.count('gpt-4o', ['hello world'], { isFree: true }))

  expect(await Promise.all(counts)).toEqual(counts.map(() => 2))
  await tokenizer.close()
})
