import { expect, test } from 'vitest'
import type { ChannelFields } from '../../../core/channels/channel.ts'
import { checkFields, tidyKey } from '../../../core/channels/check.ts'

test.each<[ChannelFields, string, object]>([
  [{ base_url: 'https://example.org/v1?key=1' }, 'FIELD_WITHOUT', { word: '?' }],
  [{ base_url: 'https://example.org/#top' }, 'FIELD_WITHOUT', { word: '#' }],
  [{ base_url: 'https://me:secret@example.org' }, 'FIELD_WITHOUT', { word: '@' }],
  [{ status_code_mapping: '{"500":"200"}' }, 'FIELD_STATUS_PAIR', { from: '500', to: '200' }],
  [{ status_code_mapping: '{"200":"500"}' }, 'FIELD_STATUS_PAIR', { from: '200' }],
  [{ status_code_mapping: '{"100":"500"}' }, 'FIELD_STATUS_PAIR', { from: '100' }],
  [{ model_mapping: '{"a":"b","b":"a"}' }, 'FIELD_CYCLE', { way: 'a → b → a' }],
  [{ model_mapping: '{"x":"a","a":"b","b":"c","c":"a"}' }, 'FIELD_CYCLE', { way: 'a → b → c → a' }],
])('%o is rejected: %s', (fields, code, params) => {
  expect(() => checkFields(fields)).toThrow(expect.objectContaining({ code, params: expect.objectContaining(params) }))
})

test('names may be mapped in a chain, to one name, and to themselves', () => {
  const model_mapping = '{"a":"b","b":"c","d":"c","e":"e","f":"e"}'
  expect(checkFields({ model_mapping })).toEqual({ model_mapping })
  expect(checkFields({ base_url: 'https://example.org/a@b/' })).toEqual({ base_url: 'https://example.org/a@b' })
})

test.each(['sk-1\nsk-2', 'sk-1\r', 'sk-\u0000', 'sk-\u007f', 'sk-密钥', 'sk-\u200b1'])('%j is not a key', (key) => {
  expect(() => tidyKey(`${key}x`)).toThrow(expect.objectContaining({ code: 'CHANNEL_KEY_UNUSUAL' }))
})

test('keys are trimmed; documents may contain any characters', () => {
  expect(tidyKey(' id|se cret|é\r\n')).toBe('id|se cret|é')
  expect(tidyKey('{\n"name": "密钥"\n}')).toBe('{\n"name": "密钥"\n}')
})
