import { expect, test } from 'vitest'
import { decodeSignature, encodeSignature } from '../../../../../server/relay/dialects/gemini/signatures.ts'

const FOREIGN = ['s', 'gAAAA_x-y:responses:rs_1', 'é', 'ab=c', Buffer.from('tollgate:x').toString('base64')]

test.each(FOREIGN)('%s becomes base64, and back', (signature) => {
  const encoded = encodeSignature(signature)
  expect(Buffer.from(encoded, 'base64').toString('base64')).toBe(encoded)
  expect(encoded).not.toBe(signature)
  expect(decodeSignature(encoded)).toBe(signature)
})

test.each(['', 'AAAA', 'EqQBCg==', 'a+b/'])('%s is base64 and stays unchanged', (signature) => {
  expect(encodeSignature(signature)).toBe(signature)
  expect(decodeSignature(signature)).toBe(signature)
})
