import { GatewayError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { CommandError, ServerRefusal } from '../errors.ts'
import type { Texts } from '../texts.ts'

const TEXT_SHOWN = 200

/** What is wrong with a server that cannot be asked, with what to try: a line each. */
export function createComplaints(url: string, { say, text }: Texts) {
  function unreachable(cause: Error): CommandError {
    const { code = '', message } = (cause.cause ?? cause) as NodeJS.ErrnoException
    const known = cause.name === 'TimeoutError' ? REASONS.ETIMEDOUT : REASONS[code]
    const why = known === undefined ? say`cannot be reached (${(code || message).slice(0, TEXT_SHOWN)})` : text(known)
    return new CommandError(
      'SERVER_UNREACHABLE',
      say`${url} ${why}: is the gateway running, and is the address right?`,
      { cause },
    )
  }

  return {
    /** Turns a failure of the network into one that people can read; what is readable stays as it is. */
    explained(error: unknown): unknown {
      if (error instanceof CommandError || error instanceof GatewayError || error instanceof ServerRefusal) return error
      const { name, cause } = error instanceof Error ? error : new Error(String(error))
      return name === 'TimeoutError' || cause !== undefined ? unreachable(error as Error) : error
    },

    redirected(location: string | null): CommandError {
      const to = (location ?? '?').slice(0, TEXT_SHOWN)
      return new CommandError('SERVER_FOREIGN', say`${url} redirects to ${to}: give that address to tollgate login`)
    },

    /** For 429, and for what the server failed at. */
    ofStatus(status: number, document: Record<string, unknown> | undefined): CommandError {
      if (status === 429) {
        return new CommandError('SERVER_BUSY', say`${url} has had too many calls from here: try again in a few minutes`)
      }
      const said = typeof document?.message === 'string' ? ` (${document.message.slice(0, TEXT_SHOWN)})` : ''
      return new CommandError(
        'SERVER_BROKEN',
        say`${url} failed with HTTP ${status}${said}: try again; if it stays, the log of the gateway says why`,
      )
    },

    foreign(status: number, body: string): CommandError {
      const what = /^\s*</.test(body) ? 'a web page' : body.trim() === '' ? 'nothing' : 'something else'
      return new CommandError(
        'SERVER_FOREIGN',
        say`${url} answers ${text(what)}, not the Tollgate API (HTTP ${status}): check the address`,
      )
    },

    tooMuch(bytes: number): CommandError {
      return new CommandError(
        'SERVER_FOREIGN',
        say`${url} answers more than ${bytes} bytes, which the Tollgate API never does: check the address`,
      )
    },

    older(version: string): CommandError {
      return new CommandError(
        'SERVER_OLDER',
        say`${url} runs version ${version}, this is ${VERSION}: upgrade the server, or use its version of this program`,
      )
    },

    /** From a version that should: one that will come, or one that a proxy lets through in part. */
    unknownCall(version: string, call: string): CommandError {
      return new CommandError(
        'SERVER_OLDER',
        say`${url} runs version ${version}, which does not know ${call}; this is ${VERSION}: use the same version on both sides, and see what is before the server`,
      )
    },

    voidToken(): CommandError {
      return new CommandError(
        'NOT_SIGNED_IN',
        say`${url} does not take the access token (any more): sign in again with tollgate login ${url}`,
      )
    },

    oddToken(): CommandError {
      return new CommandError(
        'NOT_SIGNED_IN',
        say`the access token for ${url} has characters that none has: sign in again with tollgate login ${url}`,
      )
    },
  }
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'has a name that nobody knows',
  EAI_AGAIN: 'has a name that cannot be looked up now',
  ECONNRESET: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  ETIMEDOUT: 'does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'does not answer in time',
  CERT_HAS_EXPIRED: 'has a certificate that has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'has a certificate that nobody vouches for (NODE_EXTRA_CA_CERTS names more authorities)',
}
