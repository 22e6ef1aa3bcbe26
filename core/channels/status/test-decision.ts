interface TestFailure {
  readonly status: number
  readonly type: string
  readonly code: string | null
  readonly message: string
  /** The message in Chinese, if the gateway wrote the message. */
  readonly messageZh?: string
}

/** Returns the text that describes a failure to operators. The gateway's own messages have no status. */
export function describeFailure({ status, message, messageZh }: Omit<TestFailure, 'type' | 'code'>): string {
  return messageZh === undefined ? `status code ${status}: ${message}` : message
}

export interface TestRules {
  /** A successful test that takes longer than this disables the channel; 0 means no limit. */
  readonly slowSeconds: number
  readonly disableFailing: boolean
  readonly enablePassing: boolean
  /** Phrases of error messages, one per line. */
  readonly keywords: string
}

/** The decision after a channel test, or undefined for no change. `slow`: the test passed, but too slowly. */
export type TestDecision = { disable: string; slow?: true } | 'enable' | undefined

const LOST_CODES = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const EMPTY_TYPES = new Set(['insufficient_quota', 'insufficient_user_quota'])
const LOST_TYPES = new Set([...EMPTY_TYPES, 'authentication_error', 'permission_error', 'forbidden'])
/** Gemini's channel type. Gemini sends 403 for an invalid key. From other vendors, 403 may concern only one model. */
const GEMINI = 24

/** Returns the decision after a channel test: disable with a reason, enable, or no change. */
export function decideTest(
  { failure, seconds, type }: { failure: TestFailure | undefined; seconds: number; type: number },
  { slowSeconds, disableFailing, enablePassing, keywords }: TestRules,
): TestDecision {
  if (failure) {
    // Ignore the duration of failed tests. During a network failure, the tests of all channels time out.
    if (!disableFailing || !isAccountLost(failure, type, keywords)) return undefined
    return { disable: describeFailure(failure) }
  }
  if (slowSeconds > 0 && seconds > slowSeconds) {
    return { disable: `响应时间 ${seconds.toFixed(2)}s 超过阈值 ${slowSeconds.toFixed(2)}s`, slow: true }
  }
  return enablePassing ? 'enable' : undefined
}

/** Returns whether an error's code or type blames the account rather than the request. */
export function namesAccount({ type, code }: Pick<TestFailure, 'type' | 'code'>): boolean {
  return EMPTY_TYPES.has(type) || (code !== null && LOST_CODES.has(code))
}

/** Returns whether an upstream's error means that the account or key will keep failing. */
export function isAccountLost(
  { status, type, code, message }: TestFailure,
  channelType: number,
  keywords: string,
): boolean {
  if (status === 401 || (status === 403 && channelType === GEMINI)) return true
  if (LOST_TYPES.has(type) || (code !== null && LOST_CODES.has(code))) return true
  const text = message.toLowerCase()
  const phrases = keywords.split('\n').map((line) => line.trim().toLowerCase())
  return phrases.some((phrase) => phrase !== '' && text.includes(phrase))
}
