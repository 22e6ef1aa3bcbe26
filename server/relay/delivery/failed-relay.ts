import type { LiveToken, LiveUser } from '../../../core/tokens/directory.ts'
import type { Admitted } from '../admission/admission.ts'
import { type Caller, rejectedKey } from '../admission/authenticate.ts'
import type { RelayError } from '../dialects/dialect.ts'
import type { Failed, FailureLog } from './failure-log.ts'

/** What is on record where the client disconnected before it had a whole reply. The status is nginx's for it. */
export const CLIENT_GONE = { status: 499, code: 'client_gone', message: 'The client has disconnected' } as const

/** A failed relay for the record, as far as it came. */
export function failedRelay(
  {
    requestId,
    caller: { token, user },
    admitted,
    channelId = 0,
    startedAt,
  }: {
    requestId: string
    caller: { token: Pick<LiveToken, 'id' | 'name'>; user: Pick<LiveUser, 'id' | 'username'> }
    admitted?: Admitted | undefined
    channelId?: number | undefined
    /** Milliseconds since the epoch. */
    startedAt: number
  },
  { status, code, message }: Pick<RelayError, 'status' | 'code' | 'message'>,
): Failed {
  return {
    requestId,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    modelName: admitted?.model ?? '',
    channelId,
    group: admitted?.group ?? '',
    useTimeSeconds: Math.round((Date.now() - startedAt) / 1000),
    isStream: admitted?.stream ?? false,
    content: message,
    status,
    code,
    tries: [],
  }
}

/** Records what was rejected before its relay began, for the owner of the key. */
export function recordRejected(
  failures: FailureLog,
  error: unknown,
  { request, refusal }: { request: { readonly id: string; readonly caller: Caller | null }; refusal: RelayError },
): void {
  const token = rejectedKey(error)
  const caller = request.caller ?? (token && { token, user: { id: token.userId, username: '' } })
  if (caller) failures.record(failedRelay({ requestId: request.id, caller, startedAt: Date.now() }, refusal))
}
