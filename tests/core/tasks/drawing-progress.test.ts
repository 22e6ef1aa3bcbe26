import { describe, expect, test } from 'vitest'
import { DRAWING_TIMEOUT_MS, nextStep, TIMED_OUT } from '../../../core/tasks/drawing-progress.ts'

const NOW = 1_800_000_000_000
const RUNNING = { status: 'IN_PROGRESS', progress: '40%', start_time: NOW - 5000, image_url: '', fail_reason: '' }

function step(
  report: Record<string, unknown> | undefined,
  { stored = RUNNING, submitTime = NOW - 60_000, watchedSince = 0, silent = false } = {},
) {
  return nextStep({ stored, submitTime }, silent ? undefined : { report }, { now: NOW, watchedSince })
}

describe('a progress report', () => {
  test('without news writes nothing', () => {
    expect(step({ status: 'IN_PROGRESS', progress: '40%', startTime: NOW - 5000, buttons: [] })).toBeUndefined()
  })

  test('writes differences, with lists and objects as text', () => {
    const buttons = [{ customId: 'MJ::JOB::upsample::1::x', label: 'U1' }]
    const properties = { finalPrompt: 'a cat' }

    const result = step({
      progress: '60%',
      imageUrl: 'https://cdn.example/1.png',
      buttons,
      properties,
      promptEn: 'cat',
    })

    expect(result).toEqual({
      end: undefined,
      changes: {
        code: 1,
        progress: '60%',
        image_url: 'https://cdn.example/1.png',
        prompt_en: 'cat',
        buttons: JSON.stringify(buttons),
        properties: JSON.stringify(properties),
      },
    })
  })

  test('that omits a field or leaves it empty keeps the stored value', () => {
    const stored = { ...RUNNING, image_url: 'https://cdn.example/1.png', status: 'IN_PROGRESS' }
    expect(step({ imageUrl: '', status: null, progress: undefined, properties: null }, { stored })).toBeUndefined()
  })

  test('of an earlier status is skipped with its progress, but the rest is written', () => {
    expect(step({ status: 'SUBMITTED', progress: '0%' })).toBeUndefined()
    expect(step({ status: 'NOT_START', progress: '0%', state: 'x' })?.changes).toEqual({ state: 'x', code: 1 })
  })

  test('of a waiting window is written, and so are the reports after the modal', () => {
    expect(step({ status: 'MODAL', progress: '0%' }, { stored: { ...RUNNING, status: '', progress: '0%' } })).toEqual({
      changes: { status: 'MODAL', code: 1 },
      end: undefined,
    })
    const waiting = { ...RUNNING, status: 'MODAL', progress: '0%' }
    expect(step({ status: 'SUBMITTED', progress: '1%' }, { stored: waiting })?.changes).toMatchObject({
      status: 'SUBMITTED',
    })
  })

  test.each([
    { startTime: 'soon', finishTime: -1 },
    { startTime: 1e300, finishTime: Number.NaN },
    { status: 7, progress: {}, imageUrl: [], buttons: 'no', properties: 5 },
  ])('with values of other types changes nothing: %j', (report) => {
    expect(step(report)).toBeUndefined()
  })
})

test('with too long values is truncated, and values that cannot be truncated are dropped', () => {
  const long = 'x'.repeat(20_001)
  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
  const cut = long.slice(0, 10_000)
  const report = { promptEn: long, state: long, imageUrl: `http://x/${long}`, buttons: [long], properties: { deep } }

  const changes = { prompt_en: cut, state: cut, code: 1 }
  expect(step(report)).toEqual({ end: undefined, changes })
  expect(step(report, { stored: { ...RUNNING, ...changes } })).toBeUndefined()
})

describe('a drawing ends', () => {
  test.each([
    ['success', { status: 'SUCCESS', progress: '100%' }],
    ['success', { status: 'SUCCESS' }],
    ['success', { progress: '100%' }],
    ['success', { status: 'SUCCESS', progress: '100%', failReason: 'late' }],
    ['failure', { status: 'FAILURE', progress: '100%' }],
    ['failure', { status: 'FAILURE', progress: '40%' }],
    ['failure', { status: 'IN_PROGRESS', progress: '40%', failReason: 'banned' }],
    ['failure', { failReason: 'banned' }],
  ] as const)('with %s if its proxy reports %j', (end, report) => {
    const result = step(report)
    expect(result?.end).toBe(end)
    expect(result?.changes).toMatchObject({
      status: end === 'success' ? 'SUCCESS' : 'FAILURE',
      progress: '100%',
      finish_time: NOW,
      code: 1,
    })
  })

  test('at the time reported by its proxy', () => {
    expect(step({ status: 'SUCCESS', finishTime: NOW - 1 })?.changes.finish_time).toBe(NOW - 1)
  })

  test('not at a progress of 100 % while its status is unfinished', () => {
    expect(step({ status: 'IN_PROGRESS', progress: '100%' })).toMatchObject({ end: undefined })
  })
})

describe('after an hour', () => {
  const late = NOW - DRAWING_TIMEOUT_MS - 1
  const timedOut = { end: 'failure', changes: { status: 'FAILURE', fail_reason: TIMED_OUT, finish_time: NOW } }

  test.each([
    ['that goes on', { status: 'IN_PROGRESS', progress: '41%' }],
    ['that waits for its modal', { status: 'MODAL' }],
    ['that its proxy no longer names', undefined],
  ])('a drawing %s has failed', (_, report) => {
    expect(step(report, { submitTime: late })).toEqual(timedOut)
    expect(step(report, { submitTime: late + 1 })?.end).toBeUndefined()
  })

  test('an ended drawing keeps the status of its proxy', () => {
    expect(step({ status: 'SUCCESS', progress: '100%' }, { submitTime: late })?.end).toBe('success')
  })

  test('and another day, a drawing has failed even if it was polled', () => {
    const submitTime = NOW - 24 * DRAWING_TIMEOUT_MS - 1
    expect(step(undefined, { submitTime, silent: true, watchedSince: NOW })).toEqual(timedOut)
    expect(step(undefined, { submitTime: submitTime + 1, silent: true, watchedSince: NOW })).toBeUndefined()
  })

  test('of gateway downtime, drawings of an unresponsive proxy are kept for another hour', () => {
    expect(step(undefined, { submitTime: late, silent: true, watchedSince: NOW - 1000 })).toBeUndefined()
    expect(step(undefined, { submitTime: late, silent: true, watchedSince: late })).toEqual(timedOut)
  })
})
