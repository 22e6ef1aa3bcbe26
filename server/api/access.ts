import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Actor, ROLE, requireRole, USER_STATUS } from '../../core/actor.ts'
import type { DialectName } from '../../core/channels/routing/operations.ts'
import { GatewayError } from '../../core/errors.ts'
import { MANAGEMENT_KEY_PREFIX } from '../../core/management-keys/management-keys.ts'
import type { SessionUser } from '../../core/sessions.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { rejectForeignPage } from './cross-site.ts'
import { requireScope } from './scopes.ts'

export const SESSION_COOKIE = 'session'
/** Request headers that repeat the user id. Existing clients send the second header. */
const USER_HEADERS = ['tollgate-user', 'new-api-user']

/**
 * The clients that a route accepts:
 * - `session`: users who signed in by a browser. The user header is required, because another site may have set the
 *   cookie.
 * - `bearer`: holders of an access token or management key. The user header is not required, because programs call
 *   these routes to get the user id.
 * - `user`, `admin`, `root`: the minimum role, by session, token or key. The user header is required.
 */
export type Access = 'anyone' | 'session' | 'bearer' | 'user' | 'admin' | 'root'
const ROLE_OF = { user: ROLE.common, admin: ROLE.admin, root: ROLE.root } as const

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Counts each call also against the rate limit `critical`, which protects sign-ins, registrations and mails. */
    critical?: true
    /** Marks a GET route that changes data. Other sites may neither link to it nor call it. */
    acts?: true
    /** Requires a bot check while the option TurnstileCheckEnabled is on. */
    botCheck?: true
    /** The client dialect of a relay route's replies and errors. Absent means OpenAI's. */
    dialect?: DialectName
  }
  interface FastifyRequest {
    /** The authenticated user. Undefined on routes with the access `anyone`. */
    actor: Actor
    /** The kind of credential. Some operations require a browser session. */
    signedInBy: 'session' | 'access-token' | 'management-key'
  }
}

/**
 * Adds a hook that checks `access` before the body of a request is read. A route without `access` fails to register.
 * `onUser` is called for each authenticated request.
 */
export function guardRoutes(
  app: FastifyInstance,
  toolkit: Pick<Toolkit, 'sessions' | 'accessTokens' | 'managementKeys' | 'options'>,
  { onUser = () => {} }: { onUser?: (request: FastifyRequest) => void } = {},
): void {
  app.decorateRequest('actor', null as never)
  app.decorateRequest('signedInBy', 'session')
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${method} ${url} declares no access`)
  })
  app.addHook('onRequest', async (request) => {
    if (isCausedByElement(request)) throw new GatewayError('REQUEST_EMBEDDED')
    rejectForeignPage(request, toolkit.options)
    const { access = 'root' } = request.routeOptions.config
    if (access === 'anyone') return
    if (access === 'session' || access === 'bearer') {
      const { user, keyId } =
        access === 'bearer' ? await authenticateBearer(toolkit, request) : { user: await sessionUser(toolkit, request) }
      if (!user) throw new GatewayError('NOT_SIGNED_IN')
      if (access === 'session') requireUserHeader(request, user)
      if (user.status !== USER_STATUS.enabled) throw new GatewayError('USER_DISABLED')
      request.actor = actorOf(request, user, keyId)
      onUser(request)
      return
    }
    request.actor = await identifyActor(toolkit, request, ROLE_OF[access])
    onUser(request)
  })
}

/**
 * Returns whether an image or a frame in a page caused the browser's request. For a route with `acts`, a link counts
 * too. Such requests are rejected, because an image or link in another user's text must not act with the reader's
 * rights. Requests of scripts have the destination `empty`, and typed addresses have the site `none`. Programs send
 * neither header. https://www.w3.org/TR/fetch-metadata/
 */
function isCausedByElement({ routeOptions, headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'empty'
  // Compare the URL of the route, because a request can spell the same path in many ways.
  if (!routeOptions.url?.startsWith('/api/') || destination === 'empty') return false
  if (destination !== 'document') return true
  return routeOptions.config.acts === true && headers['sec-fetch-site'] !== 'none'
}

/** Returns the user of the browser's session, or undefined without a session. */
export async function sessionUser(
  { sessions }: Pick<Toolkit, 'sessions'>,
  request: FastifyRequest,
): Promise<SessionUser | undefined> {
  const id = request.cookies[SESSION_COOKIE]
  return id === undefined ? undefined : sessions.find(id)
}

/**
 * Authenticates the request, and sets `signedInBy`. Checks credential, user header, status and role in the documented
 * order. Throws NOT_SIGNED_IN, ACCESS_TOKEN_INVALID, SCOPE_*, USER_*, PERMISSION_DENIED.
 */
export async function identifyActor(
  toolkit: Pick<Toolkit, 'sessions' | 'accessTokens' | 'managementKeys'>,
  request: FastifyRequest,
  role: number,
): Promise<Actor> {
  const bySession = await sessionUser(toolkit, request)
  const { user, keyId } = bySession ? { user: bySession } : await authenticateBearer(toolkit, request)
  request.signedInBy = bySession ? 'session' : keyId === undefined ? 'access-token' : 'management-key'
  requireUserHeader(request, user)
  if (user.status !== USER_STATUS.enabled) throw new GatewayError('USER_DISABLED')
  requireRole(user, role)
  if (user.username.trim() === '' || !Object.values<number>(ROLE).includes(user.role)) {
    throw new GatewayError('USER_INFO_INVALID')
  }
  return actorOf(request, user, keyId)
}

function actorOf({ ip }: FastifyRequest, { id, role }: SessionUser, keyId: number | undefined): Actor {
  return { id, role, origin: { address: ip }, ...(keyId !== undefined && { keyId }) }
}

/** Requires the header that repeats the user id. Other sites cannot send this header. Throws USER_HEADER_*. */
export function requireUserHeader({ headers }: FastifyRequest, { id }: Pick<SessionUser, 'id'>): void {
  const header = USER_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== '')
  if (typeof header !== 'string') throw new GatewayError('USER_HEADER_MISSING')
  if (!/^-?\d+$/.test(header)) throw new GatewayError('USER_HEADER_MALFORMED')
  if (Number(header) !== id) throw new GatewayError('USER_HEADER_MISMATCH')
}

/**
 * Returns the owner of an access token or management key. Throws NOT_SIGNED_IN, ACCESS_TOKEN_INVALID, or SCOPE_* if the
 * scopes of the key do not include the route.
 */
async function authenticateBearer(
  toolkit: Pick<Toolkit, 'accessTokens' | 'managementKeys'>,
  request: FastifyRequest,
): Promise<{ user: SessionUser; keyId?: number }> {
  if ((request.headers.authorization ?? '') === '') throw new GatewayError('NOT_SIGNED_IN')
  const holder = await findHolder(toolkit, request)
  if (!holder) throw new GatewayError('ACCESS_TOKEN_INVALID')
  if (holder.scopes) requireScope(request, holder.scopes)
  return holder
}

/** Returns the owner of an access token or management key, or undefined if it is invalid. Does not check the scopes. */
export async function bearerUser(
  toolkit: Pick<Toolkit, 'accessTokens' | 'managementKeys'>,
  request: FastifyRequest,
): Promise<SessionUser | undefined> {
  return (await findHolder(toolkit, request))?.user
}

async function findHolder(
  { accessTokens, managementKeys }: Pick<Toolkit, 'accessTokens' | 'managementKeys'>,
  { headers: { authorization = '' } }: FastifyRequest,
): Promise<{ user: SessionUser; keyId?: number; scopes?: readonly string[] } | undefined> {
  const credential = authorization.replace(/^Bearer /i, '').trim()
  if (credential.startsWith(MANAGEMENT_KEY_PREFIX)) return managementKeys.find(credential)
  const user = await accessTokens.find(credential)
  return user && { user }
}
