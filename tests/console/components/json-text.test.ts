import { describe, expect, test } from 'vitest'
import { formatJson, isJson, withMember } from '../../../console/components/json-text.ts'

describe('JSON text is formatted', () => {
  test.each([
    {},
    [],
    'a "quoted" {text}, with: marks [and] \\ backslashes',
    { a: [1, -2.5e-7, true, null], b: { c: {}, d: [] }, 'e, f': '}{' },
    [[[]], [{}]],
  ])('like JSON.stringify: %j', (value) => {
    expect(formatJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
    expect(formatJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2))
  })

  test('with its original numbers and keys', () => {
    expect(formatJson('{"a":12345678901234567890,"b":1.0,"b":"\\u4e2d"}')).toBe(
      '{\n  "a": 12345678901234567890,\n  "b": 1.0,\n  "b": "\\u4e2d"\n}',
    )
  })

  test.each(['', '{', "{'a':1}", '{"a":1,}', 'a'])('only if it is JSON: %j', (text) => {
    expect(isJson(text)).toBe(false)
    expect(formatJson(text)).toBeUndefined()
  })
})

describe('a member of a JSON text', () => {
  const BIG = '12345678901234567890'

  test.each([
    [`{"a":${BIG},"b":1.0}`, 'b', '2', `{"a":${BIG},"b":2}`],
    [`{"a":${BIG}, "b": [1, {"a": 1e400}], "c": 1.10}`, 'a', '3', '{"a":3,"b":[1,{"a":1e400}],"c":1.10}'],
    [`{"a":${BIG}}`, 'b, "c"', '"}"', `{"a":${BIG},"b, \\"c\\"":"}"}`],
    [`{"a":${BIG},"b":1,"c":{"b":2}}`, 'b', undefined, `{"a":${BIG},"c":{"b":2}}`],
    [`{"\\u0062":1,"b":2,"a":${BIG}}`, 'b', '3', `{"b":3,"a":${BIG}}`],
    ['{"b":1}', 'b', undefined, '{}'],
    [' { } ', 'b', '1', '{"b":1}'],
  ])('%s: "%s" becomes %s, and nothing else changes', (text, name, value, expected) => {
    expect(withMember(text, name, value)).toBe(expected)
  })

  test.each(['', '[]', '1', '{', '"{}"', 'null'])('exists only in an object: %j', (text) => {
    expect(withMember(text, 'a', '1')).toBeUndefined()
  })
})
