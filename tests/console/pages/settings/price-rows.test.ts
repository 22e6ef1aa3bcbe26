import { expect, test } from 'vitest'
import {
  parsePriceNumber,
  priceRows,
  pricesPerMillion,
  withoutRow,
  withRow,
} from '../../../../console/pages/settings/operation/model-prices/price-rows.ts'

const TEXTS = { ModelPrice: '{"draw":0.04}', ModelRatio: '{"b":1.25,"a":5}', CompletionRatio: '{"a":3,"c":2}' }

test('each model in any of the texts has one row, by name', () => {
  expect(priceRows(TEXTS)).toEqual([
    { name: 'a', ratio: 5, completionRatio: 3 },
    { name: 'b', ratio: 1.25 },
    { name: 'c', completionRatio: 2 },
    { name: 'draw', price: 0.04 },
  ])
})

test.each(['', '{', '[]', 'null', '{"a":"5"}'])('"%s" cannot be shown as rows', (ModelRatio) => {
  expect(priceRows({ ...TEXTS, ModelRatio })).toBeUndefined()
})

test('a row is written into the texts for which it has a value, and removed from the others', () => {
  const next = withRow(TEXTS, { name: 'a', price: 0.5, completionRatio: 4 })

  expect(JSON.parse(next.ModelPrice)).toEqual({ draw: 0.04, a: 0.5 })
  expect(JSON.parse(next.ModelRatio)).toEqual({ b: 1.25 })
  expect(JSON.parse(next.CompletionRatio)).toEqual({ c: 2, a: 4 })
  expect(priceRows(withoutRow(next, 'a'))?.map(({ name }) => name)).toEqual(['b', 'c', 'draw'])
})

test('unchanged entries keep their text', () => {
  const texts = { ...TEXTS, ModelPrice: '{"big":12345678901234567890,"draw":0.040}', ModelRatio: '{"a":1e0}' }

  const next = withRow(texts, { name: 'draw', price: 0.04, ratio: 2 })

  expect(next).toEqual({ ...texts, ModelRatio: '{\n  "a": 1e0,\n  "draw": 2\n}' })
  expect(withRow(texts, { name: 'draw', price: 1 }).ModelPrice).toBe(
    '{\n  "big": 12345678901234567890,\n  "draw": 1\n}',
  )
})

test('a ratio of 1 is 2 dollars for a million prompt tokens; without a completion ratio the completion is 0', () => {
  const quotaPerUnit = 500_000
  expect(pricesPerMillion({ ratio: 1.25, completionRatio: 4, quotaPerUnit })).toEqual({
    prompt: '$2.5',
    completion: '$10',
  })
  expect(pricesPerMillion({ ratio: 0.0858, quotaPerUnit })).toEqual({ prompt: '$0.1716', completion: '$0' })
  expect(pricesPerMillion({ ratio: 0.1, completionRatio: 3, quotaPerUnit })).toEqual({
    prompt: '$0.2',
    completion: '$0.6',
  })
  expect(pricesPerMillion({ ratio: 1, completionRatio: 2, quotaPerUnit: 1_000_000 })).toEqual({
    prompt: '$1',
    completion: '$2',
  })
})

test.each([
  ['1e-7', 1e-7], // as a row of such a price shows it
  ['.5', 0.5],
  [' 2 ', 2],
  ['', undefined],
  [' ', undefined],
  ['-1', undefined],
  ['Infinity', undefined],
  ['1,5', undefined],
])('"%s" as a price is %s', (text, number) => {
  expect(parsePriceNumber(text)).toBe(number)
})
