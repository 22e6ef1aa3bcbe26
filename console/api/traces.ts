import type { Data } from './calls.ts'
import { ApiError, call } from './client.ts'

/** The history of one request: its attempts, failure and receipt. */
export type RequestTrace = Data<'GET /api/log/request/:request_id'>

/** Loads a request of the current user, or of a team. */
export const getTrace = (request_id: string, team: number | undefined, signal: AbortSignal): Promise<RequestTrace> =>
  team === undefined
    ? call('GET /api/log/request/:request_id', { path: { request_id }, signal })
    : call('GET /api/team/:id/logs/request/:request_id', { path: { id: team, request_id }, signal })

/** Returns whether the log lacks the request or the request belongs to another user. */
export const isMissingRequest = (error: unknown): boolean => error instanceof ApiError && error.code === 'LOG_NOT_FOUND'
