import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../core/errors.ts'
import { reasonOf } from '../../../core/mail/failure.ts'
import { errorText } from '../../../core/messages/messages.ts'
import { because, violation } from '../../../core/messages/reasons.ts'

describe('a reason inside a message', () => {
  test.each([
    [
      'INVALID_INPUT',
      because('emailMalformed'),
      '无效的参数：邮箱地址格式不正确',
      'Invalid input: email is not a mail address',
    ],
    [
      'INVALID_INPUT',
      violation('maxItems', { field: 'ids', limit: 100 }) ?? {},
      '无效的参数：ids 不能超过 100 项',
      'Invalid input: ids must NOT have more than 100 items',
    ],
    [
      'REQUEST_MALFORMED',
      because('tooDeep', { max: 100 }),
      '无效的请求, 嵌套超过 100 层',
      'Invalid request: it is nested more than 100 deep',
    ],
  ] as const)('of %s is in the language of the message', (code, reason, zh, en) => {
    const error = new GatewayError(code, reason)
    expect(errorText(error, 'zh')).toBe(zh)
    expect(errorText(error, 'en')).toBe(en)
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
  ])('is in both languages for each mail failure: %s', (code) => {
    for (const responseCode of [undefined, 535]) {
      const { reason, reason_zh } = reasonOf({ code, responseCode })
      expect(reason).toMatch(/^[a-z' ]+( \(535\))?$/)
      expect(reason_zh).toMatch(/^[^A-Za-z]+$/)
      for (const text of [reason, reason_zh]) expect(text.includes('535')).toBe(responseCode === 535)
    }
  })

  test("is unchanged for an upstream's words", () => {
    const error = new GatewayError('UPSTREAM_REFUSED', { reason: 'model overloaded' })
    expect(errorText(error, 'zh')).toBe('model overloaded')
  })
})
