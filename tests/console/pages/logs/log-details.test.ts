import { describe, expect, test } from 'vitest'
import { readDetails } from '../../../../console/pages/logs/log-details.ts'
import { toLogQuery } from '../../../../console/pages/logs/log-filters.ts'

describe('details of a log row', () => {
  test.each(['', 'null', '[]', '7', '"text"', '{', '{"admin_info":"x","frt":"1","model_ratio":null}'])(
    'are empty for %j',
    (other) => {
      const { isEstimated, isRealtime, triedChannels, sensitiveWords, toolCalls, ...rest } = readDetails(other)

      expect([isEstimated, isRealtime, triedChannels, sensitiveWords, toolCalls]).toEqual([false, false, [], [], []])
      expect(Object.values(rest).every((value) => value === undefined)).toBe(true)
    },
  )

  test('treat -1 as a price by usage, and -1000 as an unmeasured first token', () => {
    expect(readDetails('{"model_price":-1,"frt":-1000,"model_ratio":2}')).toMatchObject({
      modelPrice: undefined,
      firstTokenMs: undefined,
      modelRatio: 2,
    })
    expect(readDetails('{"model_price":0}').modelPrice).toBe(0)
  })

  test('list the tried channels, also in old rows with numbers, and the reason of an early end', () => {
    const details = readDetails('{"admin_info":{"use_channel":["1",2,null]},"incomplete":true}')

    expect(details.triedChannels).toEqual(['1', '2'])
    expect(details.endReason).toBe('unknown')
    expect(readDetails('{"incomplete":true,"end_reason":"client-gone"}').endReason).toBe('client-gone')
  })
})

describe('the filters of the log', () => {
  const none = { token_name: '', model_name: '', group: '', request_id: '', username: '' }
  const empty = { ...none, type: '', channel: '', from: '', to: '' }

  test('show the last three days up to an hour from now, unless a range is chosen', () => {
    const now = 1_700_000_000_500

    expect(toLogQuery(empty, now)).toEqual({
      ...none,
      type: 0,
      channel: 0,
      start_timestamp: 1_700_000_000 - 3 * 86_400,
      end_timestamp: 1_700_000_000 + 3600,
    })
    expect(toLogQuery({ ...empty, from: '5', to: '9' }, now)).toMatchObject({ start_timestamp: 5, end_timestamp: 9 })
  })

  test.each([
    ['half of one', '5', ''],
    ['the other half', '', '9'],
    ['no number', '5', 'x'],
    ['one that ends before it begins', '9', '5'],
  ])('treat %s as no range, like the picker', (_, from, to) => {
    expect(toLogQuery({ ...empty, from, to }, 0)).toEqual(toLogQuery(empty, 0))
  })

  test('ignore invalid numbers in the URL', () => {
    expect(toLogQuery({ ...empty, type: 'x', channel: '1e3', from: '-1' }, 0)).toMatchObject({ type: 0, channel: 0 })
  })
})
