/** How a test of a channel went wrong. */
export interface TestFailure {
  readonly status: number
  readonly type: string
  readonly code: string | null
  readonly message: string
}

export interface TestRules {
  /** A test that succeeds and takes longer disables the channel; 0 = any time is fine. */
  readonly slowSeconds: number
  readonly disableFailing: boolean
  readonly enablePassing: boolean
  /** Phrases of error messages, one per line. */
  readonly keywords: string
}

/** `slow`: it is the upstream that is at fault, not the account. */
export type Verdict = { disable: string; slow?: true } | 'enable' | undefined

const LOST_CODES = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const EMPTY_TYPES = new Set(['insufficient_quota', 'insufficient_user_quota'])
const LOST_TYPES = new Set([...EMPTY_TYPES, 'authentication_error', 'permission_error', 'forbidden'])
/** Gemini answers 403 for a key that is no longer valid; elsewhere it may be about one model. */
const GEMINI = 24

/** What a test says about a channel: whether to take it out, and why, or to bring it back. */
export function testVerdict(
  { failure, seconds, type }: { failure: TestFailure | undefined; seconds: number; type: number },
  { slowSeconds, disableFailing, enablePassing, keywords }: TestRules,
): Verdict {
  if (failure) {
    // However long it took: a network that is down for a round times out for all channels.
    if (!disableFailing || !isLost(failure, type, keywords)) return undefined
    return { disable: `status code ${failure.status}: ${failure.message}` }
  }
  if (slowSeconds > 0 && seconds > slowSeconds) {
    return { disable: `响应时间 ${seconds.toFixed(2)}s 超过阈值 ${slowSeconds.toFixed(2)}s`, slow: true }
  }
  return enablePassing ? 'enable' : undefined
}

/** Whether a code or type names the account: whatever else a request had, this is not about it. */
export function namesAccount({ type, code }: Pick<TestFailure, 'type' | 'code'>): boolean {
  return EMPTY_TYPES.has(type) || (code !== null && LOST_CODES.has(code))
}

/** Whether an upstream's error will not pass by itself: the account is at fault, not the moment. */
export function isLost({ status, type, code, message }: TestFailure, channelType: number, keywords: string): boolean {
  if (status === 401 || (status === 403 && channelType === GEMINI)) return true
  if (LOST_TYPES.has(type) || (code !== null && LOST_CODES.has(code))) return true
  const text = message.toLowerCase()
  const phrases = keywords.split('\n').map((line) => line.trim().toLowerCase())
  return phrases.some((phrase) => phrase !== '' && text.includes(phrase))
}
