import { describe, expect, test } from 'vitest'
import { displayedType } from '../../cli/columns/channel-type.ts'
import { kindName } from '../../core/channels/types/kind-texts.ts'
import {
  CHANNEL_TYPES,
  type ChannelType,
  findAnyType,
  findChannelType,
  parseChannelType,
} from '../../core/channels/types/types.ts'
import { UNSERVED_KINDS } from '../../core/channels/types/unserved-types.ts'

const ROWS: readonly ChannelType[] = CHANNEL_TYPES

describe('channel types', () => {
  test('have one row for each served upstream, ordered by number', () => {
    const served = ROWS.map(({ type }) => type)
    expect(served).toEqual([...new Set(served)].sort((a, b) => a - b))
  })

  test.each(ROWS)('$slug can be named by number, slug and name, case-insensitively, and by nothing else', (row) => {
    expect(findChannelType(row.type)).toBe(row)
    for (const word of [String(row.type), row.slug, row.slug.toUpperCase(), row.name, ` ${row.name} `]) {
      expect(parseChannelType(word)).toBe(row)
    }
    expect(row.slug).toMatch(/^[a-z][a-z0-9-]*$/)
  })

  test.each(ROWS)('$slug has an address, or states that only the operator knows it', (row) => {
    if (row.baseUrlRequired) expect(row.baseUrl).toBe('')
    expect(row.baseUrl).not.toMatch(/\/$|\/v1$/)
    if (row.baseUrl) expect(row.baseUrl).toMatch(/^https:|^http:\/\/localhost:/)
    expect(row.keyFormat).not.toBe('')
  })

  test('have their names, key formats and values of `other` in the language of the reader', () => {
    for (const row of [...ROWS, ...UNSERVED_KINDS]) {
      const names = [kindName(row, 'en'), kindName(row, 'zh')]
      expect(names).toContain(row.name)
      expect(names[0]).not.toMatch(/\p{Script=Han}/u)
    }
    const gemini = findChannelType(24)
    expect(gemini && displayedType(gemini, 'zh')).toMatchObject({ key_format: 'API Key（AIza…）', other: 'API 版本' })
    expect(gemini && displayedType(gemini, 'en')).toMatchObject({ key_format: 'API key (AIza…)', other: 'API version' })
  })

  test.each(ROWS)('$slug lists each of its models once', (row) => {
    expect(new Set(row.models).size).toBe(row.models.length)
    for (const model of row.models) expect(model).toMatch(/^[^\s,]+$/)
  })

  test('unknown numbers and names match nothing', () => {
    expect([0, -1, 28, 999, Number.NaN].map(findChannelType)).toEqual(Array(5).fill(undefined))
    expect(['', '0', '28', 'constructor', '1.0', '0x1', 'open ai'].map(parseChannelType)).toEqual(
      Array(7).fill(undefined),
    )
  })

  test('only retired resellers are hidden from new channels', () => {
    expect(ROWS.filter(({ hidden }) => hidden).map(({ type }) => type)).toEqual([6, 7, 9, 10, 12, 13])
  })

  test('a new OpenAI channel serves all its documented models', () => {
    expect(findChannelType(1)?.models).toHaveLength(62)
    expect(findChannelType(1)?.models).toContain('o3-mini-2025-01-31-medium')
    expect(findChannelType(3)?.models).toBe(findChannelType(1)?.models)
  })

  test("vendor quirks are in the vendor's row", () => {
    expect(ROWS.filter(({ family }) => family === 'azure').map(({ type }) => type)).toEqual([3])
    expect(ROWS.filter(({ completeUrl }) => completeUrl).map(({ type }) => type)).toEqual([8])
    expect(findChannelType(35)?.path).toMatchObject({ '/v1/chat/completions': '/v1/text/chatcompletion_v2' })
  })

  test('every documented kind has a row, in one of the two lists', () => {
    const documented = Array.from({ length: 46 }, (_, at) => at + 1).filter((kind) => ![28, 29, 30, 32].includes(kind))
    const known = [...ROWS, ...UNSERVED_KINDS].map(({ type }) => type)
    expect(new Set(known).size).toBe(known.length)
    for (const kind of documented) expect(findAnyType(kind)).toMatchObject({ type: kind })
    expect([0, 28, 29, 30, 32, 999].map(findAnyType)).toEqual(Array(6).fill(undefined))
  })

  test.each(UNSERVED_KINDS)(
    '$name is not relayed, and is accepted only if any kind is allowed',
    ({ type, baseUrl, models }) => {
      expect(findChannelType(type)).toBeUndefined()
      expect(parseChannelType(String(type))).toBeUndefined()
      expect(baseUrl).not.toMatch(/\/$|\/v1$/)
      expect(new Set(models).size).toBe(models.length)
    },
  )

  test('an upstream either serves conversations, or only tasks', () => {
    for (const { family, tasks, operations, dialects } of ROWS) {
      expect(family === undefined).toBe(tasks !== undefined)
      if (tasks) expect([...operations, ...dialects]).toEqual([])
      else expect(operations.length).toBeGreaterThan(0)
    }
  })

  test('documented presets are among the models that a new channel serves', () => {
    for (const { models, presets = [] } of ROWS) expect(models).toEqual(expect.arrayContaining([...presets]))
  })
})
