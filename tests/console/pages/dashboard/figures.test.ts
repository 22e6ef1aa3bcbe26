import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import type { Dashboard } from '../../../../console/api/dashboard.ts'
import {
  changeOf,
  formatDuration,
  niceTop,
  percentText,
  successOf,
} from '../../../../console/pages/dashboard/figure-texts.ts'
import { logPath, nameGroups } from '../../../../console/pages/dashboard/groups.ts'

const t = ((key: string, values: object) => `${key} ${JSON.stringify(values)}`) as unknown as TFunction

const group = (name: string, label = name) => ({
  name,
  label,
  count: 1,
  quota: 1,
  tokens: 1,
  ok: 1,
  failed: 0,
  latency_p95: -1,
})

test('a change has its sign, and needs an earlier value', () => {
  expect([changeOf(112, 100), changeOf(50, 100), changeOf(100, 100)]).toEqual(['+12%', '-50%', '0%'])
  expect(changeOf(5, 0)).toBeUndefined()
})

test('only a complete share is 100 %, and zero requests have no rate', () => {
  expect(successOf({ ok: 0, failed: 0 })).toBeUndefined()
  expect(percentText(successOf({ ok: 99_999, failed: 1 }) ?? 0)).toBe('99.9%')
  expect([percentText(1), percentText(0), percentText(2 / 3)]).toEqual(['100%', '0%', '66.6%'])
})

test('durations show significant digits', () => {
  expect([85, 999, 1400, 9999, 75_400].map(formatDuration)).toEqual(['85 ms', '999 ms', '1.4 s', '10.0 s', '75 s'])
})

test('an axis ends at a round number above the largest bar', () => {
  expect([0, 0.03, 1, 7, 81, 250].map(niceTop)).toEqual([0, 0.04, 1, 8, 100, 400])
})

test('two tokens of one name are distinguished, a deleted one has its id, and the others have a count', () => {
  const groups = [group('3', 'web'), group('4', 'web'), group('5', '5'), group('', '')]
  const named = nameGroups(t, { by: 'token', groups, group_count: 7 } as unknown as Dashboard)

  expect(named.map(({ displayName }) => displayName)).toEqual([
    'web #3',
    'web #4',
    '#5',
    'dashboard.others.token {"count":7}',
  ])
})

test('log rows are linked by name, those of a channel by id, and those of others by time only', () => {
  const span = { from: 1, to: 2 }

  expect(logPath(span, { by: 'token', group: group('3', 'a b') })).toBe('/log?from=1&to=2&token_name=a+b')
  expect(logPath(span, { by: 'channel', group: group('3', 'east') })).toBe('/log?from=1&to=2&channel=3')
  expect(logPath(span, { by: 'model', group: group('') })).toBe('/log?from=1&to=2')
  expect(logPath(span, { username: 'ann', type: 5 })).toBe('/log?from=1&to=2&username=ann&type=5')
})
