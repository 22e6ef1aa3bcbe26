import { expect, test } from 'vitest'
import { createReadiness } from '../../../server/probes/readiness.ts'

test('a flood of probes runs each check once', async () => {
  let runs = 0
  const readiness = createReadiness([{ name: 'counted', run: async () => void runs++ }])
  const results = await Promise.all(Array.from({ length: 1000 }, readiness))
  expect(await readiness()).toEqual([{ name: 'counted', status: 'ok' }])
  expect(runs).toBe(1)
  expect(new Set(results).size).toBe(1)
})

test('results are refreshed after a while', async () => {
  let runs = 0
  const readiness = createReadiness([{ name: 'changing', run: async () => (runs++ ? 'It broke.' : undefined) }], {
    freshMs: 0,
  })
  expect(await readiness()).toEqual([{ name: 'changing', status: 'ok' }])
  expect(await readiness()).toEqual([{ name: 'changing', status: 'failed', message: 'It broke.' }])
})

test('a hanging check fails in time, does not block others, and is not started again', async () => {
  let runs = 0
  const hanging = {
    name: 'hanging',
    run() {
      runs++
      return new Promise<undefined>(() => {})
    },
  }
  const readiness = createReadiness([hanging, { name: 'well', run: async () => undefined }], { freshMs: 0, waitMs: 10 })
  for (let probe = 0; probe < 3; probe++) {
    expect(await readiness()).toMatchObject([{ name: 'hanging', status: 'failed' }, { status: 'ok' }])
  }
  expect(runs).toBe(1)
})

test('a check that throws fails', async () => {
  const readiness = createReadiness([{ name: 'broken', run: () => Promise.reject(new Error('secret address')) }])
  expect(await readiness()).toEqual([
    { name: 'broken', status: 'failed', message: 'The database could not be queried.' },
  ])
})
