import { expect, test } from 'vitest'
import { plainCallId } from '../../../../server/relay/conversation/call-ids.ts'

test.each(['toolu_01AbC', 'call-1', '0'])('%s may stay as it is', (id) => {
  expect(plainCallId(id)).toBe(id)
})

test('other ids become plain ones, always the same, and different ones stay different', () => {
  const ids = ['functions.look:0', 'functions:look.0', 'a b', 'ü', '']
  const plain = ids.map(plainCallId)
  for (const id of plain) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  expect(plain).toEqual(ids.map(plainCallId))
  expect(new Set(plain).size).toBe(ids.length)
})
