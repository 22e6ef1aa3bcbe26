import { isLost } from '../verdict.ts'

/**
 * What a failure is evidence of: the account (of one key), a limit (of key and model), an upstream that nobody reaches, one
 * that does not do its work, one that does not have the model. `request`: the client's own fault, evidence of nothing.
 */
export type FailureClass = 'account' | 'limited' | 'unreachable' | 'server' | 'model' | 'request'
export type Evidence = Exclude<FailureClass, 'request'>

/** How an attempt failed, as far as the upstream's health goes. */
export interface FailedAttempt {
  /** As the channel maps it. */
  readonly status: number
  /** As the upstream had it, if the channel maps it to another. */
  readonly originalStatus?: number
  readonly type: string
  readonly code: string | null
  readonly message: string
  /** No connection came about: nothing was exchanged. */
  readonly unreached?: boolean
  /** It never came to asking anybody. */
  readonly unasked?: boolean
  /** What it is evidence of, where whoever has read the answer knows better than its status tells. */
  readonly evidence?: FailureClass
  /** How long the upstream wants to be left alone. */
  readonly retryAfterMs?: number
}

const OVERLOADED_STATUS = 529
/** Statuses that a busy upstream may give a time with. */
const MAY_WAIT = new Set([503, OVERLOADED_STATUS])
const MODEL_STATUSES = new Set([404, 405, 410])
const MODEL_CODES = /^(model_not_found|model_not_available|deploymentnotfound|unsupported_model|model_decommissioned)$/i
const NAMES_MODEL = /\b(models?|deployment|engine)\b/i
/** What else a 404 may be about: something that the client has named. */
const NAMES_ANOTHER =
  /\b(files?|images?|responses?(?! status)|conversations?|threads?|messages?|items?|containers?|cached ?contents?|vector stores?|voices?|prompts?|tools?)\b/i

/**
 * The class of a failure. An account is lost by the same signs as in a channel test, and by 402. `keywords`: phrases that say so,
 * one per line; `said` is what the client wrote, in lower case: a phrase of its own that comes back proves nothing, or
 * anybody could take channels out.
 */
export function classify(
  failure: FailedAttempt,
  { type, keywords, said }: { type: number; keywords: string; said: () => string },
): FailureClass {
  if (failure.unreached) return 'unreachable'
  if (failure.unasked) return 'request'
  if (failure.evidence) return failure.evidence
  if (failure.status === 402 || isLost(failure, type, '')) return 'account'
  if (isLost(failure, type, withoutEchoes(failure, keywords, said))) return 'account'
  return byStatus(failure, failure.originalStatus ?? failure.status)
}

function byStatus({ code, type, message, retryAfterMs }: FailedAttempt, status: number): FailureClass {
  if (status === 429 || status === OVERLOADED_STATUS) return 'limited'
  if (MAY_WAIT.has(status) && (retryAfterMs !== undefined || /overloaded/i.test(`${type} ${code}`))) return 'limited'
  if (code !== null && MODEL_CODES.test(code)) return 'model'
  if (MODEL_STATUSES.has(status)) {
    return NAMES_MODEL.test(message) || !NAMES_ANOTHER.test(message) ? 'model' : 'request'
  }
  // What a proxy or a firewall answers in the upstream's place has no business with the request.
  if (status === 401 || status === 403 || status === 407) return NAMES_MODEL.test(message) ? 'model' : 'server'
  if (status >= 400 && status < 500) return 'request'
  return 'server'
}

/** The phrases that are in the upstream's message, but not in the client's request. */
function withoutEchoes({ message }: FailedAttempt, keywords: string, said: () => string): string {
  const text = message.toLowerCase()
  const found = keywords.split('\n').filter((line) => line.trim() !== '' && text.includes(line.trim().toLowerCase()))
  if (found.length === 0) return ''
  const own = said()
  return found.filter((line) => !own.includes(line.trim().toLowerCase())).join('\n')
}
