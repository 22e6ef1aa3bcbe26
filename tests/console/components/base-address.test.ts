import { expect, test } from 'vitest'
import { baseAddress } from '../../../console/components/base-address.ts'

test.each([
  ['what the operator has set', 'https://ai.example.org', 'https://ai.example.org'],
  ['without the slash at its end', 'https://ai.example.org/', 'https://ai.example.org'],
  ['what the reader came by, for the default', 'http://localhost:3000', 'https://here.example'],
  ['what the reader came by, for nothing', '', 'https://here.example'],
  ['what the reader came by, for what is no address', 'ai', 'https://here.example'],
])('programs reach the gateway at %s', (_, configured, expected) => {
  expect(baseAddress(configured, 'https://here.example')).toBe(expected)
})
