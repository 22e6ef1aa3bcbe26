import { GatewayError } from '../../../core/errors.ts'
import type { LiveToken, LiveUser } from '../../../core/tokens/directory.ts'
import type { Admitted } from '../admission/admission.ts'
import { type Caller, rejectedKey } from '../admission/authenticate.ts'
import { modelInPath, type RelayEntry } from '../admission/entry.ts'
import type { RelayError } from '../dialects/dialect.ts'
import type { FailedRelayRecord, FailureLog } from './failure-log.ts'

/**
 * The recorded error if a client disconnects before the end of the reply. nginx introduced the status 499 for this
 * case.
 */
export const CLIENT_GONE = { status: 499, code: 'client_gone', message: 'The client has disconnected' } as const

/** Returns the record of a failed relay, with the data that is known so far. */
function failedRelay(
  {
    requestId,
    caller: { token, user },
    admitted,
    model,
    channelId = 0,
    startedAt,
  }: {
    requestId: string
    caller: { token: Pick<LiveToken, 'id' | 'name' | 'group'>; user: Pick<LiveUser, 'id' | 'username' | 'group'> }
    admitted?: Admitted | undefined
    /** The model that the request names, or '' if unknown. Used if the request was not admitted. */
    model: string
    channelId?: number | undefined
    /** Start of the relay in ms since the epoch. */
    startedAt: number
  },
  { status, code, message }: Pick<RelayError, 'status' | 'code' | 'message'>,
): FailedRelayRecord {
  return {
    requestId,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    modelName: admitted?.model ?? model,
    channelId,
    group: admitted?.group ?? (token.group || user.group),
    useTimeSeconds: Math.round((Date.now() - startedAt) / 1000),
    isStream: admitted?.stream ?? false,
    content: message,
    status,
    code,
    tries: [],
  }
}

/** A relay that ended without a complete reply. Data of stages that the relay did not reach is undefined. */
interface RecordedRelay {
  readonly entry: RelayEntry
  readonly request: { readonly id: string; readonly caller: Caller | null }
  readonly keylessCaller: Caller | undefined
  readonly admitted: Admitted | undefined
  readonly namedModel: string
  readonly served: { readonly channel: { readonly id: number } } | undefined
  readonly startedAt: number
  readonly failedTries: FailedRelayRecord['tries']
  readonly parts: { readonly failures: FailureLog }
}

/** Records the error of a relay in the log of the key's owner. If no caller is known, only counts the error. */
export function recordFailed(
  { entry, request, keylessCaller, admitted, namedModel, served, startedAt, failedTries, parts }: RecordedRelay,
  error: Pick<RelayError, 'status' | 'code' | 'message'>,
  upstreamRequestId: string | undefined,
): void {
  const caller = admitted?.caller ?? keylessCaller ?? request.caller
  if (!caller) {
    parts.failures.count(error)
    return
  }
  const failed = failedRelay(
    {
      requestId: request.id,
      caller,
      admitted,
      model: namedModel || modelInPath(entry),
      channelId: served?.channel.id,
      startedAt,
    },
    error,
  )
  parts.failures.record({ ...failed, tries: failedTries, upstreamRequestId })
}

/**
 * Records a request that was rejected before its relay began, in the log of the key's owner. `pathModel` is the model
 * in the request's path. If `pathModel` is empty, uses the model that the error names.
 */
export function recordRejected(
  failures: FailureLog,
  error: unknown,
  {
    request,
    refusal,
    pathModel = '',
  }: {
    request: { readonly id: string; readonly caller: Caller | null }
    refusal: RelayError
    pathModel?: string | undefined
  },
): void {
  const token = rejectedKey(error)
  // The user of a rejected key is not loaded. The log adds the name and group of this user.
  const caller = request.caller ?? (token && { token, user: { id: token.userId, username: '', group: '' } })
  const model = pathModel || modelOf(error)
  if (caller) failures.record(failedRelay({ requestId: request.id, caller, model, startedAt: Date.now() }, refusal))
  else failures.count(refusal)
}

const modelOf = (error: unknown): string => (error instanceof GatewayError ? String(error.params.model ?? '') : '')
