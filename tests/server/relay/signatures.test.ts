import { expect, test } from 'vitest'
import { createSignatures } from '../../../server/relay/attempt/signatures.ts'

test('a signature is kept under its call', () => {
  const signatures = createSignatures()
  signatures.set('a', 's')
  expect([signatures.get('a'), signatures.get('b')]).toEqual(['s', undefined])
})

test('a signature is forgotten after its time, and its time restarts when it is set again', () => {
  let now = 0
  const signatures = createSignatures({ livesMs: 100, now: () => now })
  signatures.set('a', 's')
  signatures.set('b', 's')
  now = 60
  signatures.set('b', 't')
  now = 100
  expect([signatures.get('a'), signatures.get('b')]).toEqual([undefined, 't'])
})

test('the oldest give way when there are too many', () => {
  const signatures = createSignatures({ entriesMax: 2 })
  for (const id of ['a', 'b', 'a', 'c']) signatures.set(id, id)
  expect(['a', 'b', 'c'].map((id) => signatures.get(id))).toEqual(['a', undefined, 'c'])
})

test('the oldest give way to a large one, and one that is too large to the rest', () => {
  const signatures = createSignatures({ bytesMax: 100 })
  signatures.set('a', 'x'.repeat(60))
  signatures.set('b', 'x'.repeat(60))
  expect([signatures.get('a'), signatures.get('b')]).toEqual([undefined, 'x'.repeat(60)])
  signatures.set('c', 'x'.repeat(200))
  expect(signatures.get('c')).toBeUndefined()
  signatures.set('d', 'y')
  expect(signatures.get('d')).toBe('y')
})
