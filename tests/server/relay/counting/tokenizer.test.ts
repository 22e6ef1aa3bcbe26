import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { Tokenizer } from '../../../../server/relay/counting/tokenizer.ts'

/** The built one: a worker thread is a file of its own. */
async function builtTokenizer(): Promise<Tokenizer> {
  const { createTokenizer } = await import('../../../../dist/server/relay/counting/tokenizer.js' as string)
  return createTokenizer()
}

test('a prompt without a break does not delay others, and is counted, not estimated', async () => {
  const tokenizer = await builtTokenizer()

  const counts = await Promise.all([
    tokenizer.count('gpt-4o', ['ab'.repeat(150_000)]),
    tokenizer.count('gpt-4o', ['hello world']),
    tokenizer.count('gpt-4o', ['', '<|endoftext|>']),
    tokenizer.count('gpt-4o', ['']),
  ])

  expect(counts[0]).toBeGreaterThan(74_000)
  expect(counts[0]).toBeLessThan(80_000)
  expect(counts.slice(1)).toEqual([2, 7, 0])
  await tokenizer.close()
})

test('texts that wait when it closes, or come later, are estimated', async () => {
  const tokenizer = await builtTokenizer()
  const waiting = [tokenizer.count('gpt-4o', ['hello world']), tokenizer.count('gpt-4o', ['hello world'])]
  await tokenizer.close()
  expect(await Promise.all([...waiting, tokenizer.count('gpt-4o', ['hello world'])])).toEqual([4, 4, 4])
})

test('the worker works in the bundle, too', async () => {
  const folder = new URL('../../../../dist/program/', import.meta.url)
  const starting = readdirSync(folder).filter(
    (name) => name.endsWith('.js') && readFileSync(new URL(name, folder), 'utf8').includes('"./tokenizer-worker.js"'),
  )
  expect(starting).toHaveLength(1)
  const worker = new Worker(new URL('tokenizer-worker.js', folder))
  worker.postMessage({ id: 7, encoding: 'o200k_base', texts: ['hello world'], countingMs: 10_000 })
  expect(await once(worker, 'message')).toEqual([{ id: 7, tokens: 2 }])
  await worker.terminate()
})
