import { CommanderError } from 'commander'
import { asGatewayError, isDatabaseFull, isDatabaseLocked } from '../core/db/unavailable.ts'
import { errorMessage } from '../core/error-parts.ts'
import { type ErrorKind, GatewayError, type Params } from '../core/errors.ts'
import { errorText } from '../core/messages/messages.ts'
import { ENGLISH, type TextRef, type Texts } from './texts.ts'

/** Exit codes of the process; documented and stable. */
export const EXIT = { ok: 0, failed: 1, usage: 2, notFound: 3, notAllowed: 4, conflict: 5, interrupted: 130 } as const

const EXIT_OF_KIND: Record<ErrorKind, number> = {
  invalid: EXIT.usage,
  too_large: EXIT.usage,
  unauthenticated: EXIT.notAllowed,
  forbidden: EXIT.notAllowed,
  not_found: EXIT.notFound,
  conflict: EXIT.conflict,
  insufficient: EXIT.failed,
  rate_limited: EXIT.failed,
  unavailable: EXIT.failed,
  not_implemented: EXIT.failed,
  upstream: EXIT.failed,
  environment: EXIT.failed,
}

const EXIT_OF_COMMAND_ERROR = {
  USAGE: EXIT.usage,
  DECLINED: EXIT.failed,
  FILE_EXISTS: EXIT.conflict,
  FILE_UNWRITABLE: EXIT.failed,
  FILE_UNREADABLE: EXIT.failed,
  ANSWER_BROKEN: EXIT.failed,
  EDITOR_FAILED: EXIT.failed,
  UNKNOWN_TO_PRICE_LIST: EXIT.notFound,
  SERVER_UNREACHABLE: EXIT.failed,
  SERVER_FOREIGN: EXIT.failed,
  SERVER_OLDER: EXIT.failed,
  SERVER_BUSY: EXIT.failed,
  SERVER_BROKEN: EXIT.failed,
  DATABASE_MISSING: EXIT.notFound,
  ROOT_MISSING: EXIT.notFound,
  BACKUP_FAILED: EXIT.failed,
  BACKUP_INVALID: EXIT.failed,
  NOT_SIGNED_IN: EXIT.notAllowed,
  PROFILE_NOT_FOUND: EXIT.notFound,
  PROFILE_TAKEN: EXIT.conflict,
  INTERRUPTED: EXIT.interrupted,
} as const

/** An error that only the command line has, such as contradicting flags or an unreachable server. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  constructor(
    readonly code: keyof typeof EXIT_OF_COMMAND_ERROR,
    readonly text: string | TextRef,
    options?: ErrorOptions,
  ) {
    super(ENGLISH.textOf(text), options)
  }
}

/** An error with additional details for JSON output, such as the part that succeeded. */
export class DetailedError extends Error {
  override readonly name = 'DetailedError'
  constructor(
    override readonly cause: unknown,
    readonly details: Params,
  ) {
    super(errorMessage(cause))
  }
}

/** An error from a server. This version does not know its code, so the error has the server's message. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
  constructor(
    readonly code: string,
    readonly kind: ErrorKind,
    message: string,
  ) {
    super(message)
  }
}

/** Returns a usage error, such as for flags that are missing, invalid or contradict each other. */
export function usageError(text: string | TextRef): CommandError {
  return new CommandError('USAGE', text)
}

/** A usage error for a missing flag. The usage of the command is printed below the error. */
export class MissingFlag extends CommandError {
  constructor(text: string | TextRef) {
    super('USAGE', text)
  }
}

interface CommandFailure {
  exit: number
  code: string
  /** One line. Empty after `--help` and `--version`, when nothing more is to be printed. */
  message: string
  params: Params
}

/** Maps an error to its message and exit code. All commands use this function. */
export function failureOf(error: unknown, texts: Texts): CommandFailure {
  const { language, t, textOf } = texts
  const failure = (exit: number, code: string, message: string): CommandFailure => {
    return { exit, code, message: oneLine(message), params: {} }
  }
  if (error instanceof DetailedError) {
    const { params, ...cause } = failureOf(error.cause, texts)
    return { ...cause, params: { ...params, ...error.details } }
  }
  if (isDatabaseLocked(error) && !(error instanceof GatewayError && error.code === 'DATABASE_IN_USE')) {
    return failure(EXIT.conflict, 'DATABASE_LOCKED', t('db.theDatabaseIsLocked'))
  }
  // If the disk of another file or database is full, the error is a CommandError, whose message names the file.
  const isOwnDatabase = !(error instanceof CommandError) && asGatewayError(error)?.code === 'DATABASE_UNAVAILABLE'
  if (isOwnDatabase && isDatabaseFull(error)) return failure(EXIT.failed, 'DATABASE_FULL', t('db.theDiskIsFull'))
  if (error instanceof GatewayError) {
    const { code, kind, params } = error
    return { ...failure(EXIT_OF_KIND[kind], code, errorText(error, language)), params }
  }
  if (error instanceof ServerError) {
    // Newer servers may send kinds that this version does not know.
    const exit = Object.hasOwn(EXIT_OF_KIND, error.kind) ? EXIT_OF_KIND[error.kind] : EXIT.failed
    return failure(exit, error.code, error.message)
  }
  if (error instanceof CommandError) {
    return failure(EXIT_OF_COMMAND_ERROR[error.code], error.code, textOf(error.text))
  }
  if (error instanceof CommanderError) {
    // Commander throws after `--help` and `--version`, which have been printed.
    if (error.exitCode === 0) return failure(EXIT.ok, '', '')
    return failure(EXIT.usage, 'USAGE', error.message.replace(/^error: /, ''))
  }
  const { message } = error instanceof Error ? error : new Error(String(error))
  if (isPromptCanceled(error)) {
    return failure(EXIT.interrupted, 'INTERRUPTED', t('program.interruptedNothingWasChanged'))
  }
  const unavailable = asGatewayError(error)
  if (unavailable) {
    const { kind, code, params } = unavailable
    const text = `${errorText(unavailable, language)} (${driverText(message)})`
    return { ...failure(EXIT_OF_KIND[kind], code, text), params }
  }
  return failure(EXIT.failed, 'UNEXPECTED', t('program.unexpected', { message: oneLine(message) }))
}

/** Whether the user pressed Ctrl-C at a prompt, or the input ended. */
export function isPromptCanceled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError')
}

/** Returns the line about a failed command, or with `json` the failure as JSON. */
export function errorLine(failure: CommandFailure, { json, t }: { json: boolean } & Pick<Texts, 't'>): string {
  const { code, message, params } = failure
  return json
    ? JSON.stringify({ error: { code, message, ...params } })
    : t('general.error', { message: afterColon(message) })
}

/** Product names, which keep their capital letter at the start of a message. */
const NAMES = /^(Tollgate|Midjourney|Suno|Turnstile|Telegram|Gemini|Vertex|Azure|Anthropic|Bedrock|Node)\b/

/** Returns a message for use after `error:`. The message then starts with a lower-case letter, except for names. */
export function afterColon(message: string): string {
  const isPlainWord = /^[A-Z]([a-z'-]*)(?![\w.])/.test(message) && !NAMES.test(message)
  return isPlainWord ? message[0]?.toLowerCase() + message.slice(1) : message
}

/** Whether an error means that the session is missing or has ended. A retry cannot help then. */
export function isSignedOut(error: unknown): boolean {
  if (error instanceof CommandError) return error.code === 'NOT_SIGNED_IN'
  return (error instanceof GatewayError || error instanceof ServerError) && error.kind === 'unauthenticated'
}

/** Returns the database driver's message, without the SQL statement before it. */
function driverText(message: string): string {
  return oneLine(message.split(' - ').at(-1) ?? message)
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim()
}
