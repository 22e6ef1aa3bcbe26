import { expect, test } from 'vitest'
import { checkType } from '../../core/channels/check.ts'
import { findAnyType, parseChannelType } from '../../core/channels/types/types.ts'
import { UNASSIGNED_TYPES } from '../../core/channels/types/unserved-types.ts'

test.each([
  [11, 'Google PaLM 2', /type 24/],
  [21, 'knowledge base: AI Proxy', /shut/],
])('a channel of the retired type %i is rejected with the reason', (type, name, reason) => {
  expect(() => checkType(type, {})).toThrow(
    expect.objectContaining({
      code: 'CHANNEL_TYPE_RETIRED',
      params: expect.objectContaining({ type, name, reason: expect.stringMatching(reason) }),
    }),
  )
})

test.each([...UNASSIGNED_TYPES])('type %i, which was never assigned, is rejected and not listed', (type) => {
  expect(() => checkType(type, {})).toThrow(expect.objectContaining({ code: 'CHANNEL_TYPE_RETIRED' }))
  expect(findAnyType(type)).toBeUndefined()
  expect(parseChannelType(String(type))).toBeUndefined()
})

test.each([0, 999])('type %i is unknown', (type) => {
  expect(() => checkType(type, {})).toThrow(expect.objectContaining({ code: 'CHANNEL_TYPE_UNKNOWN' }))
})

test('Gemini and Vertex AI are supported', () => {
  expect(checkType(24, {})).toMatchObject({ family: 'gemini' })
  expect(checkType(41, { other: 'us-central1' })).toMatchObject({ family: 'vertex' })
  expect(() => checkType(41, { other: '' })).toThrow(expect.objectContaining({ code: 'VERTEX_REGION_MISSING' }))
})
