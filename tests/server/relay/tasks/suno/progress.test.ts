import { expect, test } from 'vitest'
import { step, stepWithoutId, withoutChannel } from '../../../../../server/relay/tasks/suno/progress.ts'

const HOUR = 3600
const NOW = 1_800_000_000
const stored = {
  status: 'IN_PROGRESS',
  fail_reason: '',
  progress: '0%',
  start_time: 0,
  finish_time: 0,
  updated_at: NOW,
  data: null,
}
const task = { submitTime: NOW, stored }
const WATCHING = { watchedSince: NOW - 9 * HOUR }
const at = (now: number) => ({ now, ...WATCHING })
const FAILED = { changes: { status: 'FAILURE', fail_reason: expect.stringContaining('超时') }, end: 'failure' }

test.each([
  ['nothing new', { status: 'IN_PROGRESS' }, undefined],
  ['nothing at all', {}, undefined],
  ['a state it knows, in any case', { status: 'queued' }, { changes: { status: 'QUEUED', updated_at: NOW } }],
  ['a state that goes back', { status: 'NOT_START' }, { changes: { status: 'NOT_START', updated_at: NOW } }],
  ['an unknown state', { status: 'DREAMING' }, { changes: { status: 'UNKNOWN', updated_at: NOW } }],
  ['a progress', { progress: '50%' }, { changes: { progress: '50%', updated_at: NOW } }],
  ['a progress that is none', { progress: 'soon' }, undefined],
  [
    'a start and a result so far',
    { startTime: 7, data: '[1]' },
    { changes: { start_time: 7, data: '[1]', updated_at: NOW } },
  ],
  [
    'success',
    { status: 'SUCCESS', data: '[1]', finishTime: 9 },
    { changes: { status: 'SUCCESS', data: '[1]', finish_time: 9, updated_at: NOW }, end: 'success' },
  ],
  [
    'success with a reason to fail',
    { status: 'success', failReason: 'odd' },
    { changes: { status: 'SUCCESS', fail_reason: 'odd', finish_time: NOW, updated_at: NOW }, end: 'success' },
  ],
  [
    'failure',
    { status: 'FAILURE', failReason: 'bad' },
    { changes: { status: 'FAILURE', fail_reason: 'bad', finish_time: NOW, updated_at: NOW }, end: 'failure' },
  ],
  [
    'failure without a reason',
    { status: 'FAILURE' },
    { changes: { status: 'FAILURE', finish_time: NOW, updated_at: NOW }, end: 'failure' },
  ],
  [
    'a reason to fail alone',
    { status: 'IN_PROGRESS', failReason: 'bad' },
    { changes: { status: 'FAILURE', fail_reason: 'bad', finish_time: NOW, updated_at: NOW }, end: 'failure' },
  ],
])('an upstream that reports %s', (_, report, expected) => {
  expect(step(task, { report }, at(NOW))).toEqual(expected)
})

test('a reported task is alive, which is stored from time to time', () => {
  const report = { status: 'IN_PROGRESS' }
  expect(step(task, { report }, at(NOW + 299))).toBeUndefined()
  expect(step(task, { report }, at(NOW + 300))).toEqual({ changes: { updated_at: NOW + 300 } })
})

test('a task missing in replies fails after an hour of polling', () => {
  for (const heard of [undefined, { report: undefined }]) {
    expect(step(task, heard, at(NOW + HOUR - 1))).toBeUndefined()
    expect(step(task, heard, at(NOW + HOUR))).toMatchObject(FAILED)
    expect(step(task, heard, { now: NOW + HOUR, watchedSince: NOW + 1 })).toBeUndefined()
    expect(step(task, heard, { now: NOW + HOUR + 1, watchedSince: NOW + 1 })).toMatchObject(FAILED)
  }
})

test('a task that never ends fails after a day', () => {
  const old = { submitTime: NOW, stored: { ...stored, updated_at: NOW + 24 * HOUR - 1 } }
  const now = NOW + 24 * HOUR
  expect(step(old, { report: { status: 'IN_PROGRESS' } }, at(now - 1))?.end).toBeUndefined()
  expect(step(old, { report: { status: 'IN_PROGRESS' } }, at(now))).toMatchObject(FAILED)
  expect(step(old, { report: undefined }, at(now))).toMatchObject(FAILED)
  // Also where each process is too short-lived to have waited an hour.
  expect(step(old, undefined, { now, watchedSince: now })).toMatchObject(FAILED)
  expect(step(old, { report: { status: 'SUCCESS' } }, at(now))).toMatchObject({ end: 'success' })
})

test('a task that can never be polled fails', () => {
  expect(stepWithoutId(NOW)).toMatchObject({ changes: { status: 'FAILURE' }, end: 'failure' })
  expect(withoutChannel(7, NOW)).toMatchObject({
    changes: { fail_reason: '获取渠道信息失败，请联系管理员，渠道ID：7' },
    end: 'failure',
  })
})
