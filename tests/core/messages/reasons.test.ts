import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { reasonOf } from '../../../core/mail/failure.ts'
import { errorText } from '../../../core/messages/messages.ts'
import { chineseReason } from '../../../core/messages/reasons.ts'

describe('a reason inside a Chinese message', () => {
  test.each([
    ['INVALID_INPUT', 'email is not a mail address', '无效的参数：邮箱地址格式不正确'],
    ['INVALID_INPUT', 'ids must NOT have more than 100 items', '无效的参数：ids 不能超过 100 项'],
    ['REQUEST_MALFORMED', 'it is nested more than 100 deep', '无效的请求, 嵌套超过 100 层'],
  ] as const)('is Chinese: %s %s', (code, reason, text) => {
    expect(errorText(new GatewayError(code, { reason }), 'zh')).toBe(text)
  })

  test.each([
    'EAUTH',
    'ENOAUTH',
    'ETIMEDOUT',
    'EDNS',
    'ECONNECTION',
    'ESOCKET',
    'ETLS',
    'EENVELOPE',
    'EMESSAGE',
    'EPROTOCOL',
    'EANY',
  ])('is Chinese for each mail failure: %s', (code) => {
    for (const responseCode of [undefined, 535]) {
      const text = chineseReason(reasonOf({ code, responseCode }))
      expect(text).toMatch(/^[^A-Za-z]+$/)
      if (responseCode) expect(text).toContain('535')
    }
  })

  test("is unchanged for an upstream's words", () => {
    const error = new GatewayError('UPSTREAM_REFUSED', { reason: 'model overloaded' })
    expect(errorText(error, 'zh')).toBe('model overloaded')
  })

  test('stays English in English', () => {
    const error = new GatewayError('INVALID_INPUT', { reason: 'email is not a mail address' })
    expect(errorText(error, 'en')).toBe('Invalid input: email is not a mail address')
  })
})
