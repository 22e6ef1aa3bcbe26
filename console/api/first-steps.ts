import type { Data } from './calls.ts'
import { call } from './client.ts'

/** The progress of the steps that lead to the first request. */
export type FirstSteps = Data<'GET /api/user/first-steps'>
export type StepName = FirstSteps['steps'][number]['name']

export const getFirstSteps = (signal: AbortSignal) => call('GET /api/user/first-steps', { signal })

/** Returns the models that one of the user's keys may call, and a suggested model for the first request. */
export const listKeyModels = (id: number, signal: AbortSignal) =>
  call('GET /api/token/:id/models', { path: { id }, signal })
