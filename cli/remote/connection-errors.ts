import { errorCode } from '../../core/error-parts.ts'
import { GatewayError } from '../../core/errors.ts'
import { VERSION } from '../../core/version.ts'
import { CommandError, ServerError } from '../errors.ts'
import type { TextId, Texts } from '../texts.ts'
import type { ForwardProxy } from './proxy.ts'
import { retryAfterSecondsIn, ServerBusy } from './rate-limit.ts'

const TEXT_LENGTH_MAX = 200

/** Error for a closed connection, or for a call that a proxy could not forward. The client retries reads after it. */
export class ReplyLost extends CommandError {}

/** Returns functions that create the errors of failed calls to the server `url`. Most messages say what to do. */
export function createConnectionErrors(url: string, { t }: Texts, proxy?: ForwardProxy) {
  function unreachable(cause: Error): CommandError {
    const root = innermost(cause)
    const { message } = root
    const code = errorCode(root)
    const reasonId = cause.name === 'TimeoutError' ? REASONS.ETIMEDOUT : REASONS[code]
    const why =
      reasonId === undefined
        ? t('server.cannotBeReached', { code: (code || message).slice(0, TEXT_LENGTH_MAX) })
        : t(reasonId)
    if (proxy) return proxyError(proxy, { code, message, why, cause })
    const advice = t('server.checkThatTheGateway', { url, why })
    const UnreachableError = CUT_CODES.has(code) ? ReplyLost : CommandError
    return new UnreachableError('SERVER_UNREACHABLE', advice, { cause })
  }

  /** Returns the error of a call through a proxy. Often it is unknown whether the proxy or the server failed. */
  function proxyError(
    { variable, displayUrl }: ForwardProxy,
    { code, message, why, cause }: { code: string; message: string; why: string; cause: Error },
  ): CommandError {
    const [, status] = /^Proxy response \((\d+)\)/.exec(message) ?? []
    const proxyMessage = PROXY_CODES.has(code)
      ? t('server.theProxy', { displayUrl, variable, why, url })
      : status !== undefined
        ? t('server.theProxyFromDoesNotConnect', { displayUrl, variable, url, status })
        : t('server.throughTheProxy', { url, why, displayUrl, variable })
    return new CommandError('SERVER_UNREACHABLE', proxyMessage, { cause })
  }

  return {
    /** Converts a network failure to a readable error; returns readable errors unchanged. */
    explained(error: unknown): unknown {
      if (error instanceof CommandError || error instanceof GatewayError || error instanceof ServerError) return error
      const { name, cause } = error instanceof Error ? error : new Error(String(error))
      return name === 'TimeoutError' || cause !== undefined ? unreachable(error as Error) : error
    },

    /** Returns the error for a redirect to `location`. `requested` is the full URL of the call. */
    redirect(location: string | null, requested: string): CommandError {
      const { address, displayUrl, how } = classifyRedirect(url, requested, location ?? '')
      if (how === 'https') return new CommandError('SERVER_FOREIGN', t('server.requiresHttps', { url, address }))
      return how === 'moved'
        ? new CommandError('SERVER_FOREIGN', t('server.redirectsTo', { url, address }))
        : new CommandError(
            'SERVER_FOREIGN',
            t('server.redirectsCalls', { url, displayUrl: displayUrl.slice(0, TEXT_LENGTH_MAX) }),
          )
    },

    /** Returns the error for status 429 and server errors. */
    ofStatus({ status, headers }: Response, document: Record<string, unknown> | undefined): CommandError {
      if (status === 429) {
        const seconds = retryAfterSecondsIn(headers)
        return new ServerBusy(t('server.receivedTooManyCalls', { url, seconds }), seconds)
      }
      const message = typeof document?.message === 'string' ? ` (${document.message.slice(0, TEXT_LENGTH_MAX)})` : ''
      const BrokenError = GATEWAY_STATUSES.has(status) ? ReplyLost : CommandError
      return new BrokenError('SERVER_BROKEN', t('server.failedWithHttp', { url, status, message }))
    },

    foreignServer(status: number, body: string): CommandError {
      const what = /^\s*</.test(body)
        ? 'server.aWebPage'
        : body.trim() === ''
          ? 'server.nothing'
          : 'server.somethingElse'
      return new CommandError('SERVER_FOREIGN', t('server.returnsNotTheTollgateApi', { url, what: t(what), status }))
    },

    tooLarge(bytes: number): CommandError {
      return new CommandError('SERVER_FOREIGN', t('server.returnsMoreThanBytes', { url, bytes }))
    },

    olderServer(version: string): CommandError {
      return new CommandError('SERVER_OLDER', t('server.runsVersionThisIsUpgrade', { url, version, own: VERSION }))
    },

    /** Returns the error if the version of the server does not support the call, or if a proxy blocks the path. */
    unknownCall(version: string, call: string): CommandError {
      return new CommandError('SERVER_OLDER', t('server.runsVersionWhichDoes', { url, version, call, own: VERSION }))
    },

    /** Returns the error for an unexpected reply. `version` is undefined if the server is not a gateway. */
    unexpectedReply(call: string, version: string | undefined): CommandError {
      return version === undefined || version === VERSION
        ? new CommandError('SERVER_FOREIGN', t('server.returnsAnUnexpectedReply', { url, call }))
        : new CommandError('SERVER_OLDER', t('server.runsVersionWhose', { url, version, call, own: VERSION }))
    },

    invalidToken(): CommandError {
      return new CommandError('NOT_SIGNED_IN', t('server.rejectsTheAccessToken', { url }))
    },

    malformedToken(): CommandError {
      return new CommandError('NOT_SIGNED_IN', t('server.theAccessTokenForHasInvalid', { url }))
    },
  }
}

/** Returns the root cause of wrapped errors. */
const innermost = (error: Error): Error => (error.cause instanceof Error ? innermost(error.cause) : error)

/** Error codes of a failed connection to the proxy itself. */
const PROXY_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Error codes of a connection that was closed before the whole reply arrived. */
const CUT_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
/** Status codes of proxies: bad gateway, unavailable and gateway timeout. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504])

const REASONS: Record<string, TextId> = {
  ECONNREFUSED: 'server.refusesConnections',
  ENOTFOUND: 'server.unknownHost',
  EAI_AGAIN: 'server.unresolvedHost',
  ECONNRESET: 'server.closedTheConnection',
  UND_ERR_SOCKET: 'server.closedTheConnection',
  ETIMEDOUT: 'server.doesNotRespondInTime',
  UND_ERR_CONNECT_TIMEOUT: 'server.doesNotRespondInTime',
  CERT_HAS_EXPIRED: 'server.expiredCertificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'server.untrustedCertificate',
}

/**
 * Classifies a redirect. With `https`, calls need the same address with https. With `moved`, calls probably work at
 * `address`, the new base URL. With `elsewhere`, no usable address is known. `displayUrl` is the target of the
 * redirect, without secrets.
 */
function classifyRedirect(
  server: string,
  requested: string,
  location: string,
): { how: 'https' | 'moved' | 'elsewhere'; address: string; displayUrl: string } {
  if (location === '' || !URL.canParse(location, requested))
    return { how: 'elsewhere', address: server, displayUrl: location }
  const [from, to] = [new URL(requested), new URL(location, requested)]
  if (!/^https?:$/.test(to.protocol)) return { how: 'elsewhere', address: server, displayUrl: to.protocol }
  const call = withoutEndSlash(from.pathname).slice(withoutEndSlash(new URL(server).pathname).length)
  const path = withoutEndSlash(to.pathname)
  const keepsPath = path.endsWith(call)
  const address = to.origin + (keepsPath ? path.slice(0, path.length - call.length) : path)
  const displayUrl = to.origin + path
  // Some servers redirect every call to a front page, so a target without a path may be a base URL. Any other page, the
  // same address, and an http address instead of an https address are not usable.
  const losesTls = from.protocol === 'https:' && to.protocol === 'http:'
  if ((!keepsPath && path !== '') || address === server || losesTls) return { how: 'elsewhere', address, displayUrl }
  const addsTls = from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname
  return { how: addsTls ? 'https' : 'moved', address, displayUrl }
}

const withoutEndSlash = (path: string): string => path.replace(/\/+$/, '')
