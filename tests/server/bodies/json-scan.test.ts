import { expect, test } from 'vitest'
import { JsonScan, jsonLimits, keysOf } from '../../../server/bodies/json-scan.ts'

const read = (text: string, { items = 100, piece = 1e9 } = {}) => {
  const scan = new JsonScan(jsonLimits(items))
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += piece) scan.read(bytes.subarray(at, at + piece))
  return scan.keys
}

const TEXTS = [
  '{"a":{"b":[1,{"c":"d:e,[{"}]}}',
  `{"a":"${'x'.repeat(500)}","b":"${'\\\\'.repeat(300)}","c":"${'\\"'.repeat(300)}","d":":"}`,
  `{"a":"${'x'.repeat(127)}\\"","b":"${'x'.repeat(128)}\\\\","c":"${'x'.repeat(126)}\\\\\\"y","é":"\\u0022:"}`,
  `{"${'k'.repeat(1000)}":"${'v'.repeat(255)}\\\\\\\\","b":1}`,
]

test.each(TEXTS)('counts the keys of a text, at any chunk boundary: %s', (text) => {
  const keys = text.match(/^\{"a":\{"b"/) ? 3 : Object.keys(JSON.parse(text)).length
  for (const piece of [1, 2, 3, 7, 127, 128, 129, 1e9]) expect(read(text, { piece }), `pieces of ${piece}`).toBe(keys)
  expect(keysOf(Buffer.from(text))).toBe(keys)
})

test.each([
  ['objects and lists', `[${'{},'.repeat(100)}{}]`],
  ['keys and texts', `[${'"x",'.repeat(501)}1]`],
  ['members', `[${'1,'.repeat(3001)}1]`],
  ['keys in one object', `{${Array.from({ length: 2002 }, (_, at) => `"${at}":1`).join(',')}}`],
])('rejects too many %s', (what, text) => {
  const items = what === 'keys in one object' ? 1000 : 100
  expect(() => read(text, { items })).toThrow(expect.objectContaining({ code: 'REQUEST_MALFORMED' }))
})

test('depth counts open containers, not closed ones', () => {
  expect(() => read('[]'.repeat(1000), { items: 1e6 })).not.toThrow()
  expect(() => read('['.repeat(513), { items: 1e6 })).toThrow('REQUEST_MALFORMED')
})
