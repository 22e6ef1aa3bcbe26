import { namesAccount } from '../status/test-decision.ts'

/** A vendor's error, with its HTTP status. */
export interface NamedError {
  readonly status: number
  readonly type: string
  readonly code: string | null
}

/** Matches the codes of OpenAI, Azure, Gemini, DashScope, Volcengine and resellers for filtered prompts or replies. */
const FILTERED =
  /content_?(policy|filter|moderation|safety)|policy_?violation|moderation_(blocked|failed|refused)|data_?inspection|safety|sensitive|prohibited_?content|blocklist|recitation|\bspii\b|responsible_?ai|guardrail|\brefusal\b|invalid_prompt/i
const INVALID =
  /^(invalid_?(request(_error)?|argument|value|type|parameter(_error)?|image\w*|json)|bad_?request(_error|exception)?|validation_?(error|exception)|unprocessable_?entity(_error)?|request_too_large|context_length_exceeded|string_above_max_length|(unsupported|unknown)_(parameter|value)|missing_required_parameter)$/i
const MODEL_CODES = /^(model_not_found|model_not_available|deploymentnotfound|unsupported_model|model_decommissioned)$/i
/** Statuses whose meaning does not depend on the error type, because vendors send them with many types. */
const UNAMBIGUOUS_STATUSES = new Set([401, 402, 403, 404, 405, 407, 410, 429, 529])

/** Returns whether a vendor's error means that the vendor does not have the model. */
export function namesMissingModel({ code }: Pick<NamedError, 'code'>): boolean {
  return code !== null && MODEL_CODES.test(code)
}

/** Returns whether the vendor's filter rejected the prompt or reply. This is always the client's fault. */
export function isFiltered({ type, code }: Pick<NamedError, 'type' | 'code'>): boolean {
  return FILTERED.test(type) || (code !== null && FILTERED.test(code))
}

/**
 * Returns whether an error's type or code blames the request. Most statuses are ignored, because resellers and streams
 * send such errors with 200 and 500.
 */
export function isRequestError(error: NamedError): boolean {
  if (isFiltered(error)) return true
  const { status, type, code } = error
  if (UNAMBIGUOUS_STATUSES.has(status) || namesAccount(error) || namesMissingModel(error)) return false
  return INVALID.test(type) || (code !== null && INVALID.test(code))
}
