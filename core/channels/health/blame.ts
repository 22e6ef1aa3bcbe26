import { namesAccount } from '../verdict.ts'

/** What a vendor calls an error, and the status that it came with. */
export interface NamedError {
  readonly status: number
  readonly type: string
  readonly code: string | null
}

/** A prompt or an answer that the vendor does not want, in the words of OpenAI, Azure, Gemini, DashScope, Volcengine and hubs. */
const FILTERED =
  /content_?(policy|filter|moderation|safety)|policy_?violation|moderation_(blocked|failed|refused)|data_?inspection|safety|sensitive|prohibited_?content|blocklist|recitation|\bspii\b|responsible_?ai|guardrail|\brefusal\b|invalid_prompt/i
const INVALID =
  /^(invalid_?(request(_error)?|argument|value|type|parameter(_error)?|image\w*|json)|bad_?request(_error|exception)?|validation_?(error|exception)|unprocessable_?entity(_error)?|request_too_large|context_length_exceeded|string_above_max_length|(unsupported|unknown)_(parameter|value)|missing_required_parameter)$/i
const MODEL_CODES = /^(model_not_found|model_not_available|deploymentnotfound|unsupported_model|model_decommissioned)$/i
/** These say by themselves what is wrong; vendors put all sorts of types beside them. */
const TELLING = new Set([401, 402, 403, 404, 405, 407, 410, 429, 529])

/** Whether a vendor says that it does not have the model. */
export function namesMissingModel({ code }: Pick<NamedError, 'code'>): boolean {
  return code !== null && MODEL_CODES.test(code)
}

/** Whether a vendor refuses what was asked or what was to be answered: whatever the status, nobody is at fault but the client. */
export function isFiltered({ type, code }: Pick<NamedError, 'type' | 'code'>): boolean {
  return FILTERED.test(type) || (code !== null && FILTERED.test(code))
}

/** Whether an error blames the request by its type or code. A status may be any: hubs and streams tell it with 200 and 500. */
export function blamesRequest(error: NamedError): boolean {
  if (isFiltered(error)) return true
  const { status, type, code } = error
  if (TELLING.has(status) || namesAccount(error) || namesMissingModel(error)) return false
  return INVALID.test(type) || (code !== null && INVALID.test(code))
}
