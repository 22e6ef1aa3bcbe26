import { expect, test } from 'vitest'
import { plainCallId } from '../../../../server/relay/conversation/call-ids.ts'

test.each(['toolu_01AbC', 'call-1', '0'])('%s may stay unchanged', (id) => {
  expect(plainCallId(id)).toBe(id)
})

test('other ids are replaced by valid ones, always the same, and distinct ones stay distinct', () => {
  const ids = ['functions.look:0', 'functions:look.0', 'a b', 'ü', '']
  const plain = ids.map(plainCallId)
  for (const id of plain) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  expect(plain).toEqual(ids.map(plainCallId))
  expect(new Set(plain).size).toBe(ids.length)
})
