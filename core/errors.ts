/** Every refusal somebody can cause, with the kind that each edge maps to its own world. */
const CODES = {
  // input
  INVALID_INPUT: 'invalid',
  FIELD_REQUIRED: 'invalid',
  FIELD_TYPE: 'invalid',
  FIELD_RANGE: 'invalid',
  FIELD_LENGTH: 'invalid',
  OPTION_UNKNOWN: 'invalid',
  OPTION_INVALID: 'invalid',
  OPTION_PREREQUISITE: 'invalid',
  REDEMPTION_COUNT: 'invalid',
  REDEMPTION_NAME: 'invalid',
  CHANNEL_TYPE_UNKNOWN: 'invalid',
  CHANNEL_KEY_MISSING: 'invalid',
  CHANNEL_BASE_URL_MISSING: 'invalid',
  REDEMPTION_KEY_MISSING: 'invalid',
  CONFIG_INVALID: 'invalid',
  // who
  NOT_SIGNED_IN: 'unauthenticated',
  ACCESS_TOKEN_INVALID: 'unauthenticated',
  CREDENTIALS_WRONG: 'unauthenticated',
  PASSWORD_LOGIN_DISABLED: 'forbidden',
  USER_HEADER_MISSING: 'unauthenticated',
  USER_HEADER_MALFORMED: 'unauthenticated',
  USER_HEADER_MISMATCH: 'unauthenticated',
  USER_DISABLED: 'forbidden',
  PERMISSION_DENIED: 'forbidden',
  LEVEL_TOO_LOW: 'forbidden',
  LEVEL_CREATE: 'forbidden',
  // relay credentials
  TOKEN_MISSING: 'unauthenticated',
  TOKEN_INVALID: 'unauthenticated',
  TOKEN_DISABLED: 'unauthenticated',
  TOKEN_EXPIRED: 'unauthenticated',
  TOKEN_EXHAUSTED: 'insufficient',
  TOKEN_IP: 'forbidden',
  TOKEN_MODEL: 'forbidden',
  TOKEN_GROUP: 'forbidden',
  GROUP_RETIRED: 'forbidden',
  CHANNEL_PIN_FORBIDDEN: 'forbidden',
  // not there
  USER_NOT_FOUND: 'not_found',
  TOKEN_NOT_FOUND: 'not_found',
  CHANNEL_NOT_FOUND: 'not_found',
  REDEMPTION_NOT_FOUND: 'not_found',
  REDEMPTION_INVALID: 'not_found',
  LOG_NOT_FOUND: 'not_found',
  LOG_WITHOUT_RECEIPT: 'not_found',
  MODEL_NOT_FOUND: 'not_found',
  // collisions
  USERNAME_TAKEN: 'conflict',
  REDEMPTION_USED: 'conflict',
  TOKEN_NAME_TAKEN: 'conflict',
  CHANNEL_NAME_TAKEN: 'conflict',
  TOKEN_ENABLE_EXPIRED: 'conflict',
  TOKEN_ENABLE_EXHAUSTED: 'conflict',
  ALREADY_INITIALISED: 'conflict',
  // money
  INSUFFICIENT_QUOTA: 'insufficient',
  INSUFFICIENT_TOKEN_QUOTA: 'insufficient',
  MODEL_PRICE_MISSING: 'invalid',
  // relay
  NO_CHANNEL: 'unavailable',
  CHANNEL_DISABLED: 'forbidden',
  CHANNEL_ID_INVALID: 'invalid',
  CHANNEL_TEST_UNSUPPORTED: 'invalid',
  REQUEST_MALFORMED: 'invalid',
  REQUEST_TOO_LARGE: 'too_large',
  MODEL_REQUIRED: 'invalid',
  NOT_IMPLEMENTED: 'not_implemented',
  UPSTREAM_FAILED: 'upstream',
  UPSTREAM_TIMEOUT: 'upstream',
  STOPPING: 'unavailable',
  // the program's own surroundings
  DATABASE_NEWER: 'environment',
  DATABASE_UNREACHABLE: 'environment',
  DATA_FOLDER_UNWRITABLE: 'environment',
  SECRET_WRONG: 'environment',
  SECRET_MISSING: 'environment',
  PORT_IN_USE: 'environment',
} as const

export type ErrorCode = keyof typeof CODES
export type ErrorKind = (typeof CODES)[ErrorCode]
export type Params = Record<string, string | number | boolean | null | undefined>

/**
 * A refusal that somebody can cause. Edges compare `code`, never texts, and map `kind` once to their own world
 * (HTTP status, exit code); the text comes from `core/messages`.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  constructor(
    readonly code: ErrorCode,
    readonly params: Params = {},
    options?: ErrorOptions,
  ) {
    const shown = Object.entries(params).map(([name, value]) => `${name}=${value}`)
    super(shown.length ? `${code} (${shown.join(', ')})` : code, options)
  }
  get kind(): ErrorKind {
    return CODES[this.code]
  }
}

/** `true` for a violated unique index, on SQLite and on PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === '23505' || (code === 'SQLITE_CONSTRAINT' && /UNIQUE/.test(message ?? ''))
}
