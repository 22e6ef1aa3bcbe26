import type { Data } from './calls.ts'
import { ApiError, call } from './client.ts'

/** The history of one request: attempts, failure, receipt. */
export type RequestTrace = Data<'GET /api/log/request/:request_id'>

export const getTrace = (requestId: string, signal: AbortSignal) =>
  call('GET /api/log/request/:request_id', { path: { request_id: requestId }, signal })

/** Whether the log has no such request, or it belongs to another user. */
export const isMissingRequest = (error: unknown): boolean => error instanceof ApiError && error.code === 'LOG_NOT_FOUND'
