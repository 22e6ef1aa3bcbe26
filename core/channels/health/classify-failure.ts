import { isAccountLost, namesAccount } from '../status/test-decision.ts'
import { hasUnechoedPhrase, namesModel, type RequestEcho, withoutEcho, withoutModels } from './request-echo.ts'
import { isFiltered, isRequestError, namesMissingModel } from './request-errors.ts'

/**
 * The cause of a failure. `account`: the account or key is rejected. `limited`: a rate limit of a key and model.
 * `unreachable`: no connection to the upstream. `server`: the upstream fails. `model`: the upstream does not serve the
 * model or path. `request`: the client's fault, which affects no circuit.
 */
export type FailureClass = 'account' | 'limited' | 'unreachable' | 'server' | 'model' | 'request'
export type FailureSignal = Exclude<FailureClass, 'request'>

/** A failed attempt, with the data that show the upstream's health. */
export interface FailedAttempt {
  /** Status after the channel's status mapping. */
  readonly status: number
  /** Status of the upstream, if the channel maps it to another one. */
  readonly originalStatus?: number
  readonly type: string
  readonly code: string | null
  /** The request field that the upstream rejects. */
  readonly param?: string | null
  readonly message: string
  /** The message in Chinese, if the gateway wrote the message. */
  readonly messageZh?: string
  /** If given, only this phrase in the message means a lost account. The status is then ignored. */
  readonly phrase?: string
  /** Whether the connection failed before the request was sent. */
  readonly unreached?: boolean
  /** Whether the request was never sent, for a reason other than the connection. */
  readonly neverSent?: boolean
  /** The failure class, if the provider knows more than the status says. */
  readonly evidence?: FailureClass
  /** Retry time that the upstream sent, in milliseconds. */
  readonly retryAfterMs?: number
}

const OVERLOADED_STATUS = 529
/** Statuses that mean a rate limit if the reply has a retry time or mentions an overload. */
const BUSY_CODES = new Set([503, OVERLOADED_STATUS])
const REJECTION_STATUSES = new Set([401, 403])
const REJECTION_TYPES = new Set(['authentication_error', 'permission_error', 'forbidden'])
/** OpenAI's text for a key that may not do this operation, but may do other operations. */
const MISSING_SCOPES = /insufficient permissions\b.*\bmissing scopes/i
const TUNED_MODEL = /^tunedModels\//
/** OpenAI's text for a single request that is larger than the limit per minute. */
const TOO_LARGE = /\blimit:? ?(\d+),? +requested:? ?(\d+)/i
const NAMES_MODEL = /\b(models?|deployment|engine)\b/i
/** Objects that the client may have named in the request. If such an object is missing, the upstream also sends 404. */
const NAMES_ANOTHER =
  /\b(files?|images?|responses?(?! status)|conversations?|threads?|messages?|items?|containers?|cached ?contents?|vector stores?|voices?|prompts?|tools?)\b/i
const ANOTHER_CODE =
  /^(previous_response|response|file|image|conversation|thread|message|item|container|cached_content|vector_store|voice|prompt|tool)\w*_not_found$/i
const MODEL_PARAM = /^(.*\.)?(model|engine|deployment)$/i
/** Matches replies of upstreams without this path. Such upstreams do not parse the request. */
const NO_SUCH_PATH =
  /^(bad response status code \d+|(404:? )?((page|resource) )?not found|invalid url \(\w+ [^ )]+\)|cannot post \S+)\W*$/i

/**
 * Returns the class of a failure. The class is `account` for the signs of `isAccountLost` and for status 402, unless
 * the client may have caused the sign. `keywords` are phrases that mean a lost account, one per line.
 */
export function classifyFailure(
  failure: FailedAttempt,
  { type, keywords, requestEcho: readEcho }: { type: number; keywords: string; requestEcho: () => RequestEcho },
): FailureClass {
  // Read the request only if needed, and only once, because it may be long.
  let cached: RequestEcho | undefined
  const requestEcho = () => {
    cached ??= readEcho()
    return cached
  }
  if (failure.unreached) return 'unreachable'
  if (failure.neverSent || isFiltered(failure)) return 'request'
  if (failure.evidence) return failure.evidence
  if (failure.phrase !== undefined)
    return hasUnechoedPhrase(failure.message, failure.phrase, requestEcho) ? 'account' : 'request'
  if (failure.status === 402 || namesAccount(failure)) return 'account'
  if (namesMissingModel(failure)) return 'model'
  const rejectionClass = classifyRejection(failure, requestEcho)
  if (rejectionClass) return rejectionClass
  if (isAccountLost(failure, type, '') || hasUnechoedPhrase(failure.message, keywords, requestEcho)) return 'account'
  return classifyStatus(failure, failure.originalStatus ?? failure.status, requestEcho)
}

/** Returns whether the status may mean that the upstream rejects the account. */
export function mayRejectAccount({ status, originalStatus = status }: FailedAttempt): boolean {
  return originalStatus === 402 || REJECTION_STATUSES.has(originalStatus)
}

/** Classifies a rejection (401, 403) that the request may have caused. Returns undefined for other failures. */
function classifyRejection(failure: FailedAttempt, requestEcho: () => RequestEcho): FailureClass | undefined {
  const status = failure.originalStatus ?? failure.status
  const isRejection = [status, failure.status].some((each) => REJECTION_STATUSES.has(each))
  if (!isRejection && !REJECTION_TYPES.has(failure.type)) return undefined
  const request = requestEcho()
  // Status 401 blames the key, even with permission headers. Otherwise a client that always sends them would hide bad
  // keys.
  if (status !== 401 && (request.hasPermissionHeaders || request.namesStoredObject)) return 'request'
  if (MISSING_SCOPES.test(withoutEcho(failure.message, request))) return 'model'
  return status === 403 && request.models.some((model) => TUNED_MODEL.test(model)) ? 'model' : undefined
}

function classifyStatus(failure: FailedAttempt, status: number, requestEcho: () => RequestEcho): FailureClass {
  const { code, type, message, retryAfterMs } = failure
  if (status === 429 && isTooLarge(message)) return 'request'
  if (status === 429 || status === OVERLOADED_STATUS) return 'limited'
  if (BUSY_CODES.has(status) && (retryAfterMs !== undefined || /overloaded/i.test(`${type} ${code}`))) return 'limited'
  if (status === 404) return classifyMissing(failure, requestEcho())
  if (status === 405 || status === 410) {
    const unechoedMessage = withoutEcho(message, requestEcho())
    return NAMES_MODEL.test(unechoedMessage) || !NAMES_ANOTHER.test(unechoedMessage) ? 'model' : 'request'
  }
  // Other rejections come from a proxy or firewall in front of the upstream. They do not depend on the request.
  if (status === 401 || status === 403 || status === 407) {
    return NAMES_MODEL.test(withoutEcho(message, requestEcho())) ? 'model' : 'server'
  }
  if (isRequestError({ ...failure, status }) || (status >= 400 && status < 500)) return 'request'
  return 'server'
}

/** Classifies a 404: the model, the path, or an object that the client has named is missing. */
function classifyMissing({ code, param, message }: FailedAttempt, request: RequestEcho): FailureClass {
  if (code !== null && ANOTHER_CODE.test(code)) return 'request'
  if (param) return MODEL_PARAM.test(param) ? 'model' : 'request'
  if (NO_SUCH_PATH.test(message)) return request.namesStoredObject ? 'request' : 'model'
  if (NAMES_ANOTHER.test(withoutModels(withoutEcho(message, request), request))) return 'request'
  return namesModel(message, request) ? 'model' : 'request'
}

function isTooLarge(message: string): boolean {
  const [, limit, requested] = TOO_LARGE.exec(message) ?? []
  return /^request too large\b/i.test(message) || Number(requested) > Number(limit)
}
