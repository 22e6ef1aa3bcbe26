import { expect, test } from 'vitest'
import { splitKeys } from '../../../../core/channels/keys/keys.ts'

const ACCOUNT = JSON.stringify({ type: 'service_account', private_key: 'a\\nb' }, null, 2)

test('each line is a key; empty lines and surrounding spaces are ignored', () => {
  expect(splitKeys(' sk-1 \r\n\n  sk-2\n')).toEqual(['sk-1', 'sk-2'])
  expect(splitKeys(' \n ')).toEqual([])
})

test('a JSON document is one key on any number of lines, and another may follow', () => {
  expect(splitKeys(`${ACCOUNT}\n`)).toEqual([ACCOUNT])
  expect(splitKeys(`${ACCOUNT}\n\n${ACCOUNT}\nAIza-express`)).toEqual([ACCOUNT, ACCOUNT, 'AIza-express'])
  expect(splitKeys('{"a":1}\n{"b":2}')).toEqual(['{"a":1}', '{"b":2}'])
})

test('a truncated document is not split', () => {
  expect(splitKeys('{\n"private_key":\n"x"')).toEqual(['{\n"private_key":\n"x"'])
})
