import { expect, test } from 'vitest'
import {
  fieldTextOf,
  isChanged,
  optionProblemOf,
  storedText,
} from '../../../../console/pages/settings/options/option-texts.ts'

test('a trailing slash of an address is removed', () => {
  const field = { key: 'ServerAddress', kind: 'address' } as const
  expect(storedText(field, ' https://one.example/// ')).toBe('https://one.example')
  expect(isChanged(field, 'https://one.example/', { ServerAddress: 'https://one.example' })).toBe(false)
  expect(isChanged(field, 'https://two.example/', { ServerAddress: 'https://one.example' })).toBe(true)
})

test('a secret is never shown, and any input into it is a change', () => {
  const field = { key: 'SMTPToken', kind: 'secret' } as const
  expect(fieldTextOf(field, { SMTPToken: 'left by mistake' })).toBe('')
  expect(isChanged(field, '', {})).toBe(false)
  expect(isChanged(field, 'new', {})).toBe(true)
})

test('formatting JSON is not a change', () => {
  const field = { key: 'GroupRatio', kind: 'json' } as const
  const stored = { GroupRatio: '{"default":1.50}' }
  const displayed = fieldTextOf(field, stored)
  expect(displayed).toBe('{\n  "default": 1.50\n}')
  expect(isChanged(field, displayed, stored)).toBe(false)
})

test.each([
  ['json', '{"a":', 'json'],
  ['json', '', 'json'],
  ['json', '{}', undefined],
  ['integer', '', 'number'],
  ['quota', '', 'number'],
  ['number', '', 'number'],
  ['number', ' ', 'number'],
  ['number', 'NaN', 'number'],
  ['number', '0.5', undefined],
  ['text', '', undefined],
] as const)('of a field for %s, "%s" is %s', (kind, text, problem) => {
  expect(optionProblemOf({ key: 'any', kind }, text)).toBe(problem)
})

test('an optional number must still be a number', () => {
  const field = { key: 'DefaultModelRatio', kind: 'number', optional: true } as const
  expect(optionProblemOf(field, '')).toBeUndefined()
  expect(optionProblemOf(field, 'NaN')).toBe('number')
})
