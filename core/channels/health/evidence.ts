import { isLost, namesAccount } from '../verdict.ts'
import { blamesRequest, isFiltered, namesMissingModel } from './blame.ts'
import { namesModel, type Said, tells, withoutModels, withoutOwn } from './said.ts'

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
  /** The field of the request that the upstream finds fault with. */
  readonly param?: string | null
  readonly message: string
  /** That the account is lost is told by this phrase in the message alone, and no longer by its status. */
  readonly phrase?: string
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
const JUDGING_STATUSES = new Set([401, 403])
const JUDGING_TYPES = new Set(['authentication_error', 'permission_error', 'forbidden'])
/** OpenAI: this key may not do this operation; others it may. */
const MISSING_SCOPES = /insufficient permissions\b.*\bmissing scopes/i
const TUNED = /^tunedModels\//
/** OpenAI: more than a minute's limit in one request. */
const TOO_LARGE = /\blimit:? ?(\d+),? +requested:? ?(\d+)/i
const NAMES_MODEL = /\b(models?|deployment|engine)\b/i
/** What else a 404 may be about: something that the client has named. */
const NAMES_ANOTHER =
  /\b(files?|images?|responses?(?! status)|conversations?|threads?|messages?|items?|containers?|cached ?contents?|vector stores?|voices?|prompts?|tools?)\b/i
const ANOTHER_CODE =
  /^(previous_response|response|file|image|conversation|thread|message|item|container|cached_content|vector_store|voice|prompt|tool)\w*_not_found$/i
const MODEL_PARAM = /^(.*\.)?(model|engine|deployment)$/i
/** Answers of whoever does not know the path, and does not look at the request. */
const NO_SUCH_PATH =
  /^(bad response status code \d+|(404:? )?((page|resource) )?not found|invalid url \(\w+ [^ )]+\)|cannot post \S+)\W*$/i

/**
 * The class of a failure. An account is lost by the same signs as in a channel test, and by 402, unless the client may have brought
 * the sign about. `keywords`: phrases that say so, one per line.
 */
export function classify(
  failure: FailedAttempt,
  { type, keywords, said: read }: { type: number; keywords: string; said: () => Said },
): FailureClass {
  // A request may be long: it is read where that is needed, and once.
  let found: Said | undefined
  const said = () => {
    found ??= read()
    return found
  }
  if (failure.unreached) return 'unreachable'
  if (failure.unasked || isFiltered(failure)) return 'request'
  if (failure.evidence) return failure.evidence
  if (failure.phrase !== undefined) return tells(failure.message, failure.phrase, said) ? 'account' : 'request'
  if (failure.status === 402 || namesAccount(failure)) return 'account'
  if (namesMissingModel(failure)) return 'model'
  const judged = byRequest(failure, said)
  if (judged) return judged
  if (isLost(failure, type, '') || tells(failure.message, keywords, said)) return 'account'
  return byStatus(failure, failure.originalStatus ?? failure.status, said)
}

/** A refusal that may be about what the client has asked with, or for, and not about the account. */
function byRequest(failure: FailedAttempt, said: () => Said): FailureClass | undefined {
  const status = failure.originalStatus ?? failure.status
  const refuses = [status, failure.status].some((each) => JUDGING_STATUSES.has(each))
  if (!refuses && !JUDGING_TYPES.has(failure.type)) return undefined
  const request = said()
  // A key that is refused is refused whatever else was asked; many clients always send such a header.
  if (status !== 401 && (request.judged || request.namesKept)) return 'request'
  if (MISSING_SCOPES.test(withoutOwn(failure.message, request))) return 'model'
  return status === 403 && request.models.some((model) => TUNED.test(model)) ? 'model' : undefined
}

function byStatus(failure: FailedAttempt, status: number, said: () => Said): FailureClass {
  const { code, type, message, retryAfterMs } = failure
  if (status === 429 && isTooLarge(message)) return 'request'
  if (status === 429 || status === OVERLOADED_STATUS) return 'limited'
  if (MAY_WAIT.has(status) && (retryAfterMs !== undefined || /overloaded/i.test(`${type} ${code}`))) return 'limited'
  if (status === 404) return ofMissing(failure, said())
  if (status === 405 || status === 410) {
    const rest = withoutOwn(message, said())
    return NAMES_MODEL.test(rest) || !NAMES_ANOTHER.test(rest) ? 'model' : 'request'
  }
  // What a proxy or a firewall answers in the upstream's place has no business with the request.
  if (status === 401 || status === 403 || status === 407) {
    return NAMES_MODEL.test(withoutOwn(message, said())) ? 'model' : 'server'
  }
  if (blamesRequest({ ...failure, status }) || (status >= 400 && status < 500)) return 'request'
  return 'server'
}

/** Something was not there: the model, the path, or what the client has named. */
function ofMissing({ code, param, message }: FailedAttempt, request: Said): FailureClass {
  if (code !== null && ANOTHER_CODE.test(code)) return 'request'
  if (param) return MODEL_PARAM.test(param) ? 'model' : 'request'
  if (NO_SUCH_PATH.test(message)) return request.namesKept ? 'request' : 'model'
  if (NAMES_ANOTHER.test(withoutModels(withoutOwn(message, request), request))) return 'request'
  return namesModel(message, request) ? 'model' : 'request'
}

function isTooLarge(message: string): boolean {
  const [, limit, requested] = TOO_LARGE.exec(message) ?? []
  return /^request too large\b/i.test(message) || Number(requested) > Number(limit)
}
