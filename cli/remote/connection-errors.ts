import { GatewayError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { CommandError, ServerRefusal } from '../errors.ts'
import type { Texts } from '../texts.ts'
import type { ForwardProxy } from './proxy.ts'
import { retryAfterSecondsIn, ServerBusy } from './rate-limit.ts'
import { destination } from './redirect.ts'

const TEXT_SHOWN = 200

/** A connection that was cut, or a call that a proxy could not pass on: a read may be repeated. */
export class ReplyLost extends CommandError {}

/** Errors for servers that cannot be called, each with advice in one line. */
export function createConnectionErrors(url: string, { say, text }: Texts, proxy?: ForwardProxy) {
  function unreachable(cause: Error): CommandError {
    const { code = '', message } = innermost(cause) as NodeJS.ErrnoException
    const known = cause.name === 'TimeoutError' ? REASONS.ETIMEDOUT : REASONS[code]
    const why = known === undefined ? say`cannot be reached (${(code || message).slice(0, TEXT_SHOWN)})` : text(known)
    if (proxy) return through(proxy, { code, message, why, cause })
    const advice = say`${url} ${why}: check that the gateway is running and the address is right`
    const UnreachableError = CUT_CODES.has(code) ? ReplyLost : CommandError
    return new UnreachableError('SERVER_UNREACHABLE', advice, { cause })
  }

  /** Errors through a proxy: often it is unknown whether proxy or server failed. */
  function through(
    { variable, displayUrl }: ForwardProxy,
    { code, message, why, cause }: { code: string; message: string; why: string; cause: Error },
  ): CommandError {
    const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? []
    const isProxyError = OF_PROXY.has(code)
      ? say`the proxy ${displayUrl} from ${variable} ${why}: correct ${variable}, or add the host of ${url} to NO_PROXY`
      : status !== undefined
        ? say`the proxy ${displayUrl} from ${variable} does not connect to ${url} (HTTP ${status}): check that the gateway is running, or add its host to NO_PROXY`
        : say`${url} ${why} through the proxy ${displayUrl} from ${variable}: check that the gateway is running and the address is right`
    return new CommandError('SERVER_UNREACHABLE', isProxyError, { cause })
  }

  return {
    /** Converts a network failure to a readable error; returns readable errors unchanged. */
    explained(error: unknown): unknown {
      if (error instanceof CommandError || error instanceof GatewayError || error instanceof ServerRefusal) return error
      const { name, cause } = error instanceof Error ? error : new Error(String(error))
      return name === 'TimeoutError' || cause !== undefined ? unreachable(error as Error) : error
    },

    /** `asked`: the full URL of the call. */
    redirected(location: string | null, requested: string): CommandError {
      const { address, displayUrl, how } = destination(url, requested, location ?? '')
      if (how === 'https') {
        return new CommandError('SERVER_FOREIGN', say`${url} requires https: pass ${address} to tollgate login`)
      }
      return how === 'moved'
        ? new CommandError('SERVER_FOREIGN', say`${url} redirects to ${address}: pass that address to tollgate login`)
        : new CommandError(
            'SERVER_FOREIGN',
            say`${url} redirects calls to ${displayUrl.slice(0, TEXT_SHOWN)}, which is not an API address: check the address`,
          )
    },

    /** For 429 and server errors. */
    ofStatus({ status, headers }: Response, document: Record<string, unknown> | undefined): CommandError {
      if (status === 429) {
        const seconds = retryAfterSecondsIn(headers)
        return new ServerBusy(say`${url} received too many calls from this machine: try again in ${seconds} s`, seconds)
      }
      const message = typeof document?.message === 'string' ? ` (${document.message.slice(0, TEXT_SHOWN)})` : ''
      const BrokenError = GATEWAY_STATUSES.has(status) ? ReplyLost : CommandError
      return new BrokenError(
        'SERVER_BROKEN',
        say`${url} failed with HTTP ${status}${message}: try again; if it persists, see the gateway log`,
      )
    },

    foreign(status: number, body: string): CommandError {
      const what = /^\s*</.test(body) ? 'a web page' : body.trim() === '' ? 'nothing' : 'something else'
      return new CommandError(
        'SERVER_FOREIGN',
        say`${url} returns ${text(what)}, not the Tollgate API (HTTP ${status}): check the address`,
      )
    },

    tooMuch(bytes: number): CommandError {
      return new CommandError(
        'SERVER_FOREIGN',
        say`${url} returns more than ${bytes} bytes, more than the Tollgate API ever does: check the address`,
      )
    },

    older(version: string): CommandError {
      return new CommandError(
        'SERVER_OLDER',
        say`${url} runs version ${version}, this is ${VERSION}: upgrade the server, or use the same version of this program`,
      )
    },

    /** For a version that should support the call: a newer one, or a proxy blocks the path. */
    unknownCall(version: string, call: string): CommandError {
      return new CommandError(
        'SERVER_OLDER',
        say`${url} runs version ${version}, which does not support ${call}; this is ${VERSION}: use the same version on both sides, and check the proxy in front of the server`,
      )
    },

    /** `version`: the gateway's; undefined if there is no gateway. */
    odd(call: string, version: string | undefined): CommandError {
      return version === undefined || version === VERSION
        ? new CommandError('SERVER_FOREIGN', say`${url} returns an unexpected reply to ${call}: check the address`)
        : new CommandError(
            'SERVER_OLDER',
            say`${url} runs version ${version}, whose reply to ${call} differs from ${VERSION}, this version: use the same version of this program`,
          )
    },

    voidToken(): CommandError {
      return new CommandError(
        'NOT_SIGNED_IN',
        say`${url} rejects the access token: sign in again with tollgate login ${url}`,
      )
    },

    oddToken(): CommandError {
      return new CommandError(
        'NOT_SIGNED_IN',
        say`the access token for ${url} has invalid characters: sign in again with tollgate login ${url}`,
      )
    },
  }
}

/** The root cause of wrapped errors. */
const innermost = (error: Error): Error => (error.cause instanceof Error ? innermost(error.cause) : error)

/** Failures of the first connection, which goes to the proxy. */
const OF_PROXY: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

const CUT_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
/** Bad gateway, unavailable and gateway timeout. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refuses connections',
  ENOTFOUND: 'has an unknown host name',
  EAI_AGAIN: 'has a host name that cannot be resolved now',
  ECONNRESET: 'closed the connection',
  UND_ERR_SOCKET: 'closed the connection',
  ETIMEDOUT: 'does not respond in time',
  UND_ERR_CONNECT_TIMEOUT: 'does not respond in time',
  CERT_HAS_EXPIRED: 'has an expired certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'has a certificate that is not trusted (trust more authorities with NODE_EXTRA_CA_CERTS)',
}
