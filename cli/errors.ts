import { CommanderError } from 'commander'
import { asGatewayError, isDatabaseLocked } from '../core/db/unavailable.ts'
import { type ErrorKind, GatewayError, type Params } from '../core/errors.ts'
import type { Language } from '../core/messages/language.ts'
import { errorText } from '../core/messages/messages.ts'
import { nearest } from './nearest.ts'

/** What a process answers to the shell; documented, and kept. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  interrupted: 130,
} as const

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

const EXIT_OF_REFUSAL = {
  USAGE: EXIT.usage,
  DECLINED: EXIT.failed,
  FILE_EXISTS: EXIT.conflict,
  FILE_UNWRITABLE: EXIT.failed,
  FILE_UNREADABLE: EXIT.failed,
  ANSWER_BROKEN: EXIT.failed,
  EDITOR_FAILED: EXIT.failed,
  UNKNOWN_TO_PRICE_LIST: EXIT.notFound,
  SERVER_FAILED: EXIT.failed,
  SERVER_UNREACHABLE: EXIT.failed,
  SERVER_FOREIGN: EXIT.failed,
  SERVER_OLDER: EXIT.failed,
  SERVER_BUSY: EXIT.failed,
  SERVER_BROKEN: EXIT.failed,
  DATABASE_MISSING: EXIT.notFound,
  BACKUP_FAILED: EXIT.failed,
  BACKUP_INVALID: EXIT.failed,
  NOT_SIGNED_IN: EXIT.notAllowed,
  PROFILE_NOT_FOUND: EXIT.notFound,
  PROFILE_TAKEN: EXIT.conflict,
  INTERRUPTED: EXIT.interrupted,
} as const

/** A refusal that only a command line knows: flags that contradict, a file in the way, a question answered with no. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  constructor(
    readonly code: keyof typeof EXIT_OF_REFUSAL,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** An error that programs are told more of than it says itself, such as what was done before it. */
export class DetailedError extends Error {
  override readonly name = 'DetailedError'
  constructor(
    override readonly cause: unknown,
    readonly details: Params,
  ) {
    super(cause instanceof Error ? cause.message : String(cause))
  }
}

/** What a server refused by a name that this version does not know, in the server's words. */
export class ServerRefusal extends Error {
  override readonly name = 'ServerRefusal'
  constructor(
    readonly code: string,
    readonly kind: ErrorKind,
    message: string,
  ) {
    super(message)
  }
}

/** Flags or answers are missing, or do not go together. */
export function usageError(message: string): CommandError {
  return new CommandError('USAGE', message)
}

export interface Failure {
  exit: number
  code: string
  /** One line; empty when there is nothing to say, such as after `--help`. */
  message: string
  params: Params
}

/**
 * What to say about an error, and how to exit: the one place where the command line does so. `translated` retells what was said
 * in English by who does not know the language.
 */
export function failureOf(
  error: unknown,
  language: Language,
  translated: (english: string) => string = (english) => english,
): Failure {
  if (error instanceof DetailedError) {
    const failure = failureOf(error.cause, language, translated)
    return { ...failure, params: { ...failure.params, ...error.details } }
  }
  if (isDatabaseLocked(error) && !(error instanceof GatewayError && error.code === 'DATABASE_IN_USE')) {
    return {
      exit: EXIT.conflict,
      code: 'DATABASE_LOCKED',
      message: translated('the database is locked by another process: try again, or stop that process'),
      params: {},
    }
  }
  if (error instanceof GatewayError) {
    const { code, kind, params } = error
    return { exit: EXIT_OF_KIND[kind], code, message: oneLine(errorText(error, language)), params }
  }
  if (error instanceof ServerRefusal) {
    const { code, kind, message } = error
    // A server of the future names kinds as it likes.
    const exit = Object.hasOwn(EXIT_OF_KIND, kind) ? EXIT_OF_KIND[kind] : EXIT.failed
    return { exit, code, message: oneLine(message), params: {} }
  }
  if (error instanceof CommandError) {
    return {
      exit: EXIT_OF_REFUSAL[error.code],
      code: error.code,
      message: translated(oneLine(error.message)),
      params: {},
    }
  }
  if (error instanceof CommanderError) {
    // Commander ends `--help` and `--version` by an error too; what it printed is all there is to say.
    if (error.exitCode === 0) return { exit: EXIT.ok, code: '', message: '', params: {} }
    return { exit: EXIT.usage, code: 'USAGE', message: translated(wrongUsage(error.message)), params: {} }
  }
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  if (name === 'ExitPromptError' || name === 'AbortPromptError') {
    return {
      exit: EXIT.interrupted,
      code: 'INTERRUPTED',
      message: translated('interrupted, nothing was changed'),
      params: {},
    }
  }
  const unavailable = asGatewayError(error)
  if (unavailable) {
    const { kind, code, params } = unavailable
    return {
      exit: EXIT_OF_KIND[kind],
      code,
      message: `${errorText(unavailable, language)} (${driverText(message)})`,
      params,
    }
  }
  return { exit: EXIT.failed, code: 'UNEXPECTED', message: translated(oneLine(`unexpected: ${message}`)), params: {} }
}

/** Words of a message that are names, and keep their capital. */
const NAMES = /^(Tollgate|Midjourney|Suno|Turnstile|Telegram|Gemini|Vertex|Azure|Anthropic|Bedrock|Node)\b/

/** A message as it follows `error:`, which is in lower case: `Token 9 does not exist` is `token 9 does not exist`. */
export function afterColon(message: string): string {
  const isPlainWord = /^[A-Z]([a-z'-]*)(?![\w.])/.test(message) && !NAMES.test(message)
  return isPlainWord ? message[0]?.toLowerCase() + message.slice(1) : message
}

/** Whether nobody is signed in (any more): trying again is of no use. */
export function isSignedOut(error: unknown): boolean {
  if (error instanceof CommandError) return error.code === 'NOT_SIGNED_IN'
  return (error instanceof GatewayError || error instanceof ServerRefusal) && error.kind === 'unauthenticated'
}

/** What the database driver reports, without the statement before it. */
function driverText(message: string): string {
  return oneLine(message.split(' - ').at(-1) ?? message)
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').trim()
}

/** Commander's words, with the choice that may have been meant. */
function wrongUsage(message: string): string {
  const said = oneLine(message.replace(/^error: /, ''))
  const [, value = '', choices] =
    /'([^']*)' is invalid(?: for argument '[^']*')?\. Allowed choices are (.*)\.$/.exec(said) ?? []
  const meant = choices && nearest(value, choices.split(', '))
  return meant ? `${said} (Did you mean ${meant}?)` : said
}
