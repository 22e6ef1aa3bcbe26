import type { FastifyReply } from 'fastify'
import { expect, test } from 'vitest'
import { type ErrorCode, GatewayError, isErrorCode, type Params } from '../../../core/errors.ts'
import { en } from '../../../core/messages/en.ts'
import { zh } from '../../../core/messages/zh.ts'
import { setErrorHeaders } from '../../../server/api/envelope.ts'

function headersOf(code: ErrorCode, params: Params): Record<string, string> {
  const headers: Record<string, string> = {}
  const reply = { header: (name: string, value: string) => Object.assign(headers, { [name]: value }) }
  setErrorHeaders(reply as unknown as FastifyReply, new GatewayError(code, params))
  return headers
}
const named = (headers: Record<string, string>) => JSON.parse(decodeURIComponent(headers['tollgate-error'] ?? ''))
const codes = Object.keys(en.error).filter(isErrorCode)
/** All texts of a code, also those with more parameters. */
const textsOf = (code: ErrorCode) =>
  [en, zh].flatMap(({ error }) => Object.entries(error).filter(([id]) => id.replace(/_[a-z]\w*$/, '') === code))

test.each(codes)(
  'the header of %s has the parameters of its texts and the retry time, and fits between others',
  (code) => {
    const placeholders = [
      ...textsOf(code)
        .join(' ')
        .matchAll(/\{\{(\w+)\}\}/g),
    ].map(([, name = '']) => name)
    const words = [...placeholders, 'reason', 'id', 'code', 'internal']
    const given = Object.fromEntries(words.map((word) => [word, `<${word}>`]))

    const headers = headersOf(code, { ...given, retryAfterSeconds: 7 })

    const params = { ...Object.fromEntries(placeholders.map((word) => [word, `<${word}>`])), retryAfterSeconds: 7 }
    expect(named(headers)).toEqual({ code, kind: new GatewayError(code).kind, params })
    expect(headers['retry-after']).toBe('7')
    const long = Object.fromEntries(placeholders.map((word) => [word, '长'.repeat(5000)]))
    expect(headersOf(code, long)['tollgate-error']?.length).toBeLessThanOrEqual(1500)
  },
)

test('long values are truncated as little as possible', () => {
  const { params } = named(headersOf('FIELD_URL', { field: 'base_url', value: '长'.repeat(5000) }))
  expect(params).toEqual({ field: 'base_url', value: `${'长'.repeat(60)}…` })
})
