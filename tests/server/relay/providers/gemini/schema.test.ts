import { describe, expect, test } from 'vitest'
import { cleanSchema, hasProperties } from '../../../../../server/relay/providers/gemini/schema.ts'

describe('a schema for Gemini', () => {
  test.each([
    ['$schema', 'x'],
    ['$id', 'x'],
    ['$comment', 'x'],
    ['$defs', {}],
    ['definitions', {}],
    ['title', 'x'],
    ['default', 1],
    ['examples', [1]],
    ['additionalProperties', false],
    ['patternProperties', {}],
    ['propertyNames', {}],
    ['uniqueItems', true],
    ['exclusiveMinimum', 1],
    ['exclusiveMaximum', 1],
    ['contains', {}],
    ['not', {}],
    ['if', {}],
    ['then', {}],
    ['else', {}],
    ['dependentRequired', {}],
    ['unevaluatedProperties', false],
    ['strict', true],
    ['deprecated', true],
    ['readOnly', true],
    ['writeOnly', true],
    ['contentEncoding', 'base64'],
    ['enumDescriptions', ['x']],
    ['x-order', 1],
  ])('has no %s', (name, value) => {
    expect(cleanSchema({ type: 'integer', [name]: value })).toEqual({ type: 'INTEGER' })
  })

  test('keeps limits, and descriptions', () => {
    const kept = { description: 'd', minimum: 0, maximum: 9 }
    expect(cleanSchema({ type: 'number', ...kept })).toEqual({ type: 'NUMBER', ...kept })
    expect(cleanSchema({ type: 'string', minLength: 1, pattern: '^a' })).toEqual({
      type: 'STRING',
      minLength: 1,
      pattern: '^a',
    })
  })

  test('has references inlined, by any of the usual paths', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A', description: 'own' }, b: { $ref: '#/definitions/B~1C' } },
      $defs: { A: { type: 'string' } },
      definitions: { 'B/C': { type: 'integer' } },
    }
    expect(cleanSchema(schema)).toEqual({
      type: 'OBJECT',
      properties: { a: { type: 'STRING', description: 'own' }, b: { type: 'INTEGER' } },
    })
  })

  test('with a recursion ends in a bare object', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' } } }
    const text = JSON.stringify(cleanSchema(schema))
    expect(text.match(/next/g)).toHaveLength(9)
    expect(text).toContain('"next":{"type":"OBJECT"}')
  })

  test('with many recursions keeps a bounded size', () => {
    const names = Array.from({ length: 20 }, (_, at) => `p${at}`)
    const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])) }
    expect(JSON.stringify(cleanSchema(schema)).length).toBeLessThan(1_000_000)
  })

  test('with a dangling reference is a bare object', () => {
    expect(cleanSchema({ $ref: '#/$defs/missing' })).toEqual({ type: 'OBJECT' })
    expect(cleanSchema({ $ref: 'https://x.example/schema' })).toEqual({ type: 'OBJECT' })
  })

  test.each([
    [{ type: ['string', 'null'] }, { type: 'STRING', nullable: true }],
    [{ type: ['string', 'integer'] }, { anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }] }],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'STRING', nullable: true }],
    [{ oneOf: [{ type: 'null' }, { type: 'integer', minimum: 1 }] }, { type: 'INTEGER', minimum: 1, nullable: true }],
    [
      { description: 'd', oneOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      { description: 'd', anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }], nullable: true },
    ],
    [
      {
        allOf: [
          { type: 'object', properties: { a: {} }, required: ['a'] },
          { properties: { b: { type: 'integer' } }, required: ['b'] },
        ],
      },
      { type: 'OBJECT', properties: { a: { type: 'STRING' }, b: { type: 'INTEGER' } }, required: ['a', 'b'] },
    ],
    [
      { type: 'string', format: 'date-time' },
      { type: 'STRING', format: 'date-time' },
    ],
    [{ type: 'string', format: 'uri' }, { type: 'STRING' }],
    [
      { type: 'integer', format: 'int64' },
      { type: 'INTEGER', format: 'int64' },
    ],
    [{ const: 'v' }, { type: 'STRING', enum: ['v'] }],
    [
      { type: 'integer', enum: [1, 2] },
      { type: 'STRING', enum: ['1', '2'] },
    ],
    [{ enum: ['a', null] }, { type: 'STRING', enum: ['a'], nullable: true }],
    [{ type: 'array' }, { type: 'ARRAY', items: { type: 'STRING' } }],
    [
      { type: 'array', items: { type: 'number' } },
      { type: 'ARRAY', items: { type: 'NUMBER' } },
    ],
    [{ type: 'object' }, { type: 'OBJECT' }],
    [{ type: 'object', properties: {} }, { type: 'OBJECT' }],
    [
      { type: 'object', properties: { a: true } },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'gone'] },
      { type: 'OBJECT', properties: { a: { type: 'STRING' } }, required: ['a'] },
    ],
  ])('%j is %j', (schema, wanted) => {
    expect(cleanSchema(schema)).toEqual(wanted)
  })

  test('keeps properties named like keywords', () => {
    const properties = {
      title: { type: 'string' },
      default: { type: 'string' },
      format: { type: 'string' },
      const: { type: 'string' },
    }
    expect(Object.keys(cleanSchema({ type: 'object', properties }).properties as object)).toEqual(
      Object.keys(properties),
    )
  })

  test('reports whether there are any parameters', () => {
    expect(hasProperties(undefined)).toBe(false)
    expect(hasProperties({})).toBe(false)
    expect(hasProperties({ type: 'object', properties: {} })).toBe(false)
    expect(hasProperties({ type: 'object', properties: { a: {} } })).toBe(true)
    expect(hasProperties({ $ref: '#/$defs/A' })).toBe(true)
  })
})
