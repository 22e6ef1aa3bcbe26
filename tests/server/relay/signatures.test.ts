import { expect, test } from 'vitest'
import { createSignatures } from '../../../server/relay/attempt/signatures.ts'

test('a signature is stored for its call', () => {
  const signatures = createSignatures()
  signatures.set('a', 's')
  expect([signatures.get('a'), signatures.get('b')]).toEqual(['s', undefined])
})

test('a signature expires, and storing it again restarts its time', () => {
  let now = 0
  const signatures = createSignatures({ livesMs: 100, now: () => now })
  signatures.set('a', 's')
  signatures.set('b', 's')
  now = 60
  signatures.set('b', 't')
  now = 100
  expect([signatures.get('a'), signatures.get('b')]).toEqual([undefined, 't'])
})

test('the oldest are removed above the maximum', () => {
  const signatures = createSignatures({ entriesMax: 2 })
  for (const id of ['a', 'b', 'a', 'c']) signatures.set(id, id)
  expect(['a', 'b', 'c'].map((id) => signatures.get(id))).toEqual(['a', undefined, 'c'])
})

test('the size is in bytes, not in characters', () => {
  const signatures = createSignatures({ bytesMax: 100 })
  signatures.set('a', '\u6c49'.repeat(40))
  expect(signatures.get('a')).toBeUndefined()
})

test('the oldest are removed for a large one, and a too large one is not stored', () => {
  const signatures = createSignatures({ bytesMax: 100 })
  signatures.set('a', 'x'.repeat(60))
  signatures.set('b', 'x'.repeat(60))
  expect([signatures.get('a'), signatures.get('b')]).toEqual([undefined, 'x'.repeat(60)])
  signatures.set('c', 'x'.repeat(200))
  expect(signatures.get('c')).toBeUndefined()
  signatures.set('d', 'y')
  expect(signatures.get('d')).toBe('y')
})
