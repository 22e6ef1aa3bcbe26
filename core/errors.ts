/** Every refusal somebody can cause, with the kind that each edge maps to its own world. */
const CODES = {
  // input
  INVALID_INPUT: 'invalid',
  BODY_MALFORMED: 'invalid',
  FIELD_WHOLE_NUMBER: 'invalid',
  FIELD_NUMBER: 'invalid',
  FIELD_TEXT: 'invalid',
  FIELD_BOOLEAN: 'invalid',
  FIELD_LIST: 'invalid',
  FIELD_OBJECT: 'invalid',
  FIELD_NUL: 'invalid',
  FIELD_CHOICE: 'invalid',
  FIELD_EXPIRY: 'invalid',
  FIELD_ADDRESSES: 'invalid',
  FIELD_URL: 'invalid',
  FIELD_JSON: 'invalid',
  FIELD_JSON_OBJECT: 'invalid',
  FIELD_JSON_TEXTS: 'invalid',
  FIELD_STATUS_PAIR: 'invalid',
  FIELD_CYCLE: 'invalid',
  FIELD_TOO_MANY: 'invalid',
  FIELD_PROXY: 'invalid',
  FIELD_HEADER: 'invalid',
  FIELD_WITHOUT: 'invalid',
  PASSWORDS_DIFFER: 'invalid',
  FIELD_REQUIRED: 'invalid',
  FIELD_UNSEEN: 'invalid',
  FIELD_WITHOUT_AT: 'invalid',
  FIELD_RANGE: 'invalid',
  FIELD_LENGTH: 'invalid',
  OPTION_UNKNOWN: 'invalid',
  OPTION_CHANGED: 'conflict',
  OPTION_SECRET: 'forbidden',
  OPTION_NEEDED: 'conflict',
  OPTION_BOOLEAN: 'invalid',
  OPTION_INTEGER: 'invalid',
  OPTION_NUMBER: 'invalid',
  OPTION_MIN: 'invalid',
  OPTION_ABOVE: 'invalid',
  OPTION_MAX: 'invalid',
  OPTION_CHOICE: 'invalid',
  OPTION_ADDRESS: 'invalid',
  OPTION_JSON: 'invalid',
  OPTION_JSON_OBJECT: 'invalid',
  OPTION_JSON_ARRAY: 'invalid',
  OPTION_JSON_SINGLE: 'invalid',
  OPTION_ENTRY_NUMBER: 'invalid',
  OPTION_ENTRY_TEXT: 'invalid',
  OPTION_RATIO_MIN: 'invalid',
  OPTION_RATIO_MAX: 'invalid',
  OPTION_GROUP_RATIO: 'invalid',
  OPTION_TOO_LONG: 'invalid',
  OPTION_NUL: 'invalid',
  OPTION_GITHUB_UNCONFIGURED: 'invalid',
  OPTION_LINUXDO_UNCONFIGURED: 'invalid',
  OPTION_EMAIL_UNCONFIGURED: 'invalid',
  OPTION_WECHAT_UNCONFIGURED: 'invalid',
  OPTION_OIDC_UNCONFIGURED: 'invalid',
  OPTION_TURNSTILE_UNCONFIGURED: 'invalid',
  REDEMPTION_NAME: 'invalid',
  IDEMPOTENCY_KEY_INVALID: 'invalid',
  CHANNEL_TYPE_UNKNOWN: 'invalid',
  CHANNEL_TYPE_UNSERVED: 'invalid',
  CHANNEL_TYPE_RETIRED: 'invalid',
  CHANNEL_KEY_UNUSUAL: 'invalid',
  CHANNEL_KEY_MISSING: 'invalid',
  CHANNEL_KEY_UNKNOWN: 'not_found',
  CHANNEL_BASE_URL_MISSING: 'invalid',
  REDEMPTION_KEY_MISSING: 'invalid',
  CONFIG_INVALID: 'invalid',
  LOG_CURSOR_INVALID: 'invalid',
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
  TASK_NOT_FOUND: 'not_found',
  LOG_WITHOUT_RECEIPT: 'not_found',
  MODEL_NOT_FOUND: 'not_found',
  MODEL_UNPRICED: 'not_found',
  MODEL_PRICE_NOT_OWN: 'not_found',
  MODEL_NAME_INVALID: 'invalid',
  GROUP_NOT_FOUND: 'not_found',
  GROUP_NAME_INVALID: 'invalid',
  GROUP_DEFAULT_KEPT: 'conflict',
  // collisions
  USERNAME_TAKEN: 'conflict',
  REDEMPTION_USED: 'conflict',
  IDEMPOTENCY_KEY_REUSED: 'conflict',
  IDEMPOTENCY_KEY_OTHER_BODY: 'conflict',
  IDEMPOTENCY_KEY_RUNNING: 'conflict',
  IDEMPOTENCY_KEY_SPENT: 'conflict',
  TOKEN_NAME_TAKEN: 'conflict',
  CHANNEL_NAME_TAKEN: 'conflict',
  TOKEN_ENABLE_EXPIRED: 'conflict',
  TOKEN_ENABLE_EXHAUSTED: 'conflict',
  ALREADY_INITIALISED: 'conflict',
  // money
  INSUFFICIENT_QUOTA: 'insufficient',
  INSUFFICIENT_TOKEN_QUOTA: 'insufficient',
  BALANCE_TOO_LARGE: 'invalid',
  MODEL_PRICE_MISSING: 'invalid',
  // relay
  NO_CHANNEL: 'unavailable',
  CHANNELS_LIMITED: 'rate_limited',
  CHANNELS_UNHEALTHY: 'unavailable',
  UPSTREAM_SATURATED: 'rate_limited',
  CHANNEL_DISABLED: 'forbidden',
  CHANNEL_ID_INVALID: 'invalid',
  CHANNEL_TEST_UNSUPPORTED: 'invalid',
  REQUEST_MALFORMED: 'invalid',
  REQUEST_EMBEDDED: 'invalid',
  REQUEST_TOO_LARGE: 'too_large',
  SENSITIVE_WORDS: 'invalid',
  MODEL_REQUIRED: 'invalid',
  MUSIC_REFUSED: 'invalid',
  NOT_IMPLEMENTED: 'not_implemented',
  PATH_UNKNOWN: 'not_found',
  RESPONSE_NOT_FOUND: 'not_found',
  DRAWING_REFUSED: 'invalid',
  OPERATION_UNSUPPORTED: 'invalid',
  CHANNEL_MISCONFIGURED: 'unavailable',
  MEDIA_REFUSED: 'invalid',
  MEDIA_UNAVAILABLE: 'invalid',
  UPSTREAM_FAILED: 'upstream',
  UPSTREAM_TIMEOUT: 'upstream',
  STOPPING: 'unavailable',
  // the management API
  EMAIL_REQUIRED: 'invalid',
  EMAIL_INVALID: 'invalid',
  EMAIL_DOMAIN: 'invalid',
  EMAIL_ALIAS: 'invalid',
  EMAIL_TAKEN: 'conflict',
  EMAIL_UNREGISTERED: 'not_found',
  CODE_WRONG: 'invalid',
  RESET_INVALID: 'invalid',
  MAIL_COOLDOWN: 'rate_limited',
  MAIL_UNCONFIGURED: 'environment',
  MAIL_FAILED: 'upstream',
  REGISTER_DISABLED: 'forbidden',
  PASSWORD_REGISTER_DISABLED: 'forbidden',
  CREDENTIALS_EMPTY: 'invalid',
  SESSION_UNSAVED: 'environment',
  TURNSTILE_MISSING: 'invalid',
  TURNSTILE_FAILED: 'invalid',
  RATE_LIMITED: 'rate_limited',
  USER_INFO_INVALID: 'forbidden',
  LEVEL_READ: 'forbidden',
  LEVEL_UPDATE: 'forbidden',
  LEVEL_RAISE: 'forbidden',
  LEVEL_DELETE: 'forbidden',
  ROOT_DISABLE: 'forbidden',
  ROOT_DELETE: 'forbidden',
  ROOT_DELETE_SELF: 'forbidden',
  ROOT_DEMOTE: 'forbidden',
  PROMOTE_FORBIDDEN: 'forbidden',
  ALREADY_ADMIN: 'conflict',
  ALREADY_COMMON: 'conflict',
  ACCOUNT_DELETED: 'not_found',
  INVITE_MINIMUM: 'invalid',
  INVITE_INSUFFICIENT: 'insufficient',
  PROVIDER_DISABLED: 'forbidden',
  WECHAT_DISABLED: 'forbidden',
  PROVIDER_UNREACHABLE: 'upstream',
  PROVIDER_REFUSED: 'upstream',
  PROVIDER_ANSWER: 'upstream',
  OAUTH_STATE: 'forbidden',
  IDENTITY_TAKEN: 'conflict',
  WECHAT_TAKEN: 'conflict',
  IDENTITY_UNBOUND: 'not_found',
  TELEGRAM_SIGNATURE: 'invalid',
  VERTEX_REGION_MISSING: 'invalid',
  VERTEX_REGION_DEFAULT: 'invalid',
  MODEL_NAME_TOO_LONG: 'invalid',
  TAG_MISSING: 'invalid',
  TAG_UNKNOWN: 'not_found',
  CHANNEL_TEST_RUNNING: 'conflict',
  BALANCE_UNSUPPORTED: 'not_implemented',
  MODEL_LIST_UNSUPPORTED: 'not_implemented',
  UPSTREAM_STATUS: 'upstream',
  UPSTREAM_UNREADABLE: 'upstream',
  UPSTREAM_UNREACHABLE: 'upstream',
  UPSTREAM_REFUSED: 'upstream',
  TOKEN_NAME_TOO_LONG: 'invalid',
  REDEMPTION_COUNT_POSITIVE: 'invalid',
  REDEMPTION_COUNT_MAX: 'invalid',
  REDEMPTION_NOT_EDITABLE: 'conflict',
  PARAMETERS_WRONG: 'invalid',
  TOPUP_MINIMUM: 'invalid',
  TOPUP_TOO_LOW: 'invalid',
  PAYMENT_UNCONFIGURED: 'forbidden',
  ORDER_UNSAVED: 'environment',
  CALLBACK_NOT_FOUND: 'not_found',
  CLEAR_TIME_MISSING: 'invalid',
  RANGE_TOO_LONG: 'invalid',
  GROUP_NOT_ALLOWED: 'forbidden',
  ACCESS_TOKEN_UNSUPPORTED: 'forbidden',
  DATABASE_INCONSISTENT: 'environment',
  LEDGER_REPAIR_RUNNING: 'conflict',
  // the program's own surroundings
  DATABASE_NEWER: 'environment',
  DATABASE_UNREACHABLE: 'environment',
  DATABASE_SILENT: 'environment',
  DATABASE_UNAVAILABLE: 'unavailable',
  DATABASE_DAMAGED: 'environment',
  DATABASE_REPLACED: 'environment',
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

/** Whether this version knows an error by that name. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(CODES, text)
}

/** `true` for a violated unique index, on SQLite and on PostgreSQL. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === '23505' || (code === 'SQLITE_CONSTRAINT' && /UNIQUE/.test(message ?? ''))
}

/** `true` for a violated CHECK constraint, on SQLite and on PostgreSQL. */
export function isCheckViolation(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === '23514' || (code === 'SQLITE_CONSTRAINT' && /CHECK/.test(message ?? ''))
}

/**
 * `true` when a database will not take these values however often it is asked: data exceptions, violated constraints and limits
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html, https://sqlite.org/rescode.html).
 */
export function isValueRefused(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^(22|23|54)[0-9A-Z]{3}$/.test(code) || /^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE)/.test(code)
}
