import { describe, expect, test } from 'vitest'
import {
  closedSchema as closedWithin,
  newSchemaBudget,
} from '../../../../../server/relay/providers/anthropic/closed-schema.ts'

const TEXT = { type: 'string' }
const closedSchema = (schema: object) => closedWithin({ ...schema }, newSchemaBudget())

describe('a schema that Claude enforces', () => {
  test.each<[string, object, object]>([
    [
      'closes nested objects, and states limits in descriptions',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        title: 'T',
        properties: {
          list: { type: 'array', minItems: 1, maxItems: 3, items: { properties: { a: TEXT } } },
          when: { type: 'string', format: 'date-time', description: 'When', minLength: 1 },
          code: { type: 'string', format: 'regex' },
          maybe: { type: ['string', 'null'], default: null },
        },
        required: ['list'],
      },
      {
        type: 'object',
        title: 'T',
        properties: {
          list: {
            type: 'array',
            minItems: 1,
            description: '{"maxItems":3}',
            items: { type: 'object', properties: { a: TEXT }, additionalProperties: false },
          },
          when: { type: 'string', format: 'date-time', description: 'When\n{"minLength":1}' },
          code: { type: 'string', description: '{"format":"regex"}' },
          maybe: { type: ['string', 'null'], default: null },
        },
        required: ['list'],
        additionalProperties: false,
      },
    ],
    [
      'keeps definitions, alternatives and literals',
      {
        $defs: { a: { type: 'object', properties: {}, additionalProperties: false } },
        oneOf: [{ $ref: '#/$defs/a' }, { const: 1 }, { type: 'string', enum: ['x', null] }],
      },
      {
        $defs: { a: { type: 'object', properties: {}, additionalProperties: false } },
        anyOf: [{ $ref: '#/$defs/a' }, { enum: [1] }, { enum: ['x', null] }],
      },
    ],
    ['replaces a list of one schema by this schema', { allOf: [TEXT], title: 't' }, { ...TEXT, title: 't' }],
  ])('%s', (_, schema, closed) => {
    expect(closedSchema(schema)).toEqual(closed)
  })

  test.each<[string, object]>([
    ['an object with any keys', { type: 'object' }],
    ['a map', { type: 'object', additionalProperties: TEXT }],
    ['an open object', { type: 'object', properties: { a: TEXT }, additionalProperties: true }],
    ['keys by pattern', { type: 'object', properties: { a: TEXT }, patternProperties: { '^b': TEXT } }],
    ['any value', { description: 'anything' }],
    ['a schema that is no object', { type: 'array', items: true }],
    ['objects as literals', { enum: [{ a: 1 }] }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['several schemas at once', { allOf: [TEXT, { minLength: 1 }] }],
    ['recursion', { $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' }],
    ['alternatives beside properties', { type: 'object', properties: { a: TEXT }, oneOf: [{ required: ['a'] }] }],
    ['one schema beside properties', { allOf: [{ $ref: '#/$defs/a' }], properties: { x: TEXT }, $defs: { a: TEXT } }],
    ['two lists of alternatives', { anyOf: [TEXT], oneOf: [TEXT] }],
    ['limits beside a reference', { $defs: { a: TEXT }, $ref: '#/$defs/a', minLength: 1 }],
    ['a required property without schema', { type: 'object', properties: { a: TEXT }, required: ['b'] }],
    ['a reference to the whole', { type: 'object', properties: { a: { $ref: '#' } } }],
  ])('is not possible for %s', (_, schema) => {
    expect(closedSchema(schema)).toBeUndefined()
  })

  test('is not possible for very deep schemas and long chains of definitions', () => {
    let deep: object = TEXT
    for (let level = 0; level < 100; level++) deep = { type: 'array', items: deep }
    expect(closedSchema(deep)).toBeUndefined()
    const chain = Array.from({ length: 50_000 }, (_, at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }])
    expect(closedSchema({ $defs: Object.fromEntries(chain), $ref: '#/$defs/d0' })).toBeUndefined()
  })

  test('fits with the others of its request into what Claude accepts', () => {
    const withOptional = (count: number) => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, TEXT])),
    })
    const nullable = (count: number) => {
      const properties = Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`p${at}`, { type: ['string', 'null'] }]),
      )
      return { type: 'object', properties, required: Object.keys(properties) }
    }
    expect(closedSchema(withOptional(24))).toBeDefined()
    expect(closedSchema(withOptional(25))).toBeUndefined()
    expect(closedSchema(nullable(16))).toBeDefined()
    expect(closedSchema(nullable(17))).toBeUndefined()
    const budget = newSchemaBudget()
    expect(closedWithin(withOptional(20), budget)).toBeDefined()
    expect(closedWithin(withOptional(5), budget)).toBeUndefined()
    expect(closedWithin(withOptional(4), budget)).toBeDefined()
  })
})
