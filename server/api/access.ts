import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Actor, ROLE, requireRole, USER_STATUS } from '../../core/actor.ts'
import type { DialectName } from '../../core/channels/operations.ts'
import { GatewayError } from '../../core/errors.ts'
import { MANAGEMENT_KEY_PREFIX } from '../../core/management-keys/management-keys.ts'
import type { SessionUser } from '../../core/sessions/sessions.ts'
import type { Toolkit } from '../../core/toolkit.ts'
import { rejectForeignPage } from './cross-site.ts'
import { requireScope } from './scopes.ts'

export const SESSION_COOKIE = 'session'
/** The header that repeats the user id; the second name is what existing clients send. */
const USER_HEADERS = ['tollgate-user', 'new-api-user']

/**
 * Who may call a route. `session`: users who are signed in by a browser, with the user header, since a cookie alone may be one
 * that another site has put there. `bearer`: holders of an access token, without the header, since a program reads there whose it is. The roles:
 * by session or access token, with the user header.
 */
export type Access = 'anyone' | 'session' | 'bearer' | 'user' | 'admin' | 'root'
const ROLE_OF = { user: ROLE.common, admin: ROLE.admin, root: ROLE.root } as const

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Counts against the limit of sign-in, registration and mails too. */
    critical?: true
    /** Changes something although it is a GET: no link of a page may lead there, and no other site may call it. */
    acts?: true
    /** Asks for a bot check while the option TurnstileCheckEnabled is on. */
    botCheck?: true
    /** In which client's words a route of the relay answers, errors included; absent = OpenAI's. */
    dialect?: DialectName
  }
  interface FastifyRequest {
    /** Who is signed in; set wherever the route's access asks for somebody. */
    actor: Actor
    /** By what: scripts cannot do what needs a browser. */
    signedInBy: 'session' | 'access-token' | 'management-key'
  }
}

/** A route without a declared permission does not register; every other is checked before its body is even read. */
export function guardRoutes(
  app: FastifyInstance,
  toolkit: Pick<Toolkit, 'sessions' | 'accessTokens' | 'managementKeys' | 'options'>,
  { onAdmin = () => {} }: { onAdmin?: (request: FastifyRequest) => void } = {},
): void {
  app.decorateRequest('actor', null as never)
  app.decorateRequest('signedInBy', 'session')
  app.addHook('onRoute', ({ method, url, config }) => {
    if (!config?.access) throw new Error(`${method} ${url} declares no access`)
  })
  app.addHook('onRequest', async (request) => {
    if (isAskedByPage(request)) throw new GatewayError('REQUEST_EMBEDDED')
    rejectForeignPage(request, toolkit.options)
    const { access = 'root' } = request.routeOptions.config
    if (access === 'anyone') return
    if (access === 'session' || access === 'bearer') {
      const { user, keyId } =
        access === 'bearer' ? await bearer(toolkit, request) : { user: await sessionUser(toolkit, request) }
      if (!user) throw new GatewayError('NOT_SIGNED_IN')
      if (access === 'session') requireUserHeader(request, user)
      if (user.status !== USER_STATUS.enabled) throw new GatewayError('USER_DISABLED')
      request.actor = actorOf(request, user, keyId)
      if (user.role >= ROLE.admin) onAdmin(request)
      return
    }
    request.actor = await identify(toolkit, request, ROLE_OF[access])
    if (request.actor.role >= ROLE.admin) onAdmin(request)
  })
}

/**
 * Whether a browser asks on behalf of a page: for an image, a frame, or, where that would act, because of a link. A picture in
 * an operator's text, a link in a model's reply, or one that leads here by a redirect must not act as its reader. Scripts ask
 * for nothing in particular (`empty`), people for documents that no page has led them to (`none`); programs do not say.
 * https://www.w3.org/TR/fetch-metadata/
 */
function isAskedByPage({ routeOptions, headers }: FastifyRequest): boolean {
  const destination = headers['sec-fetch-dest'] ?? 'empty'
  // The route that was found, not the address: that can be written in many ways.
  if (!routeOptions.url?.startsWith('/api/') || destination === 'empty') return false
  if (destination !== 'document') return true
  return routeOptions.config.acts === true && headers['sec-fetch-site'] !== 'none'
}

/** Whose browser it is, if anybody's. */
export async function sessionUser(
  { sessions }: Pick<Toolkit, 'sessions'>,
  request: FastifyRequest,
): Promise<SessionUser | undefined> {
  const id = request.cookies[SESSION_COOKIE]
  return id === undefined ? undefined : sessions.find(id)
}

/** Session or access token, user header, status and role, in the documented order. */
export async function identify(
  toolkit: Pick<Toolkit, 'sessions' | 'accessTokens' | 'managementKeys'>,
  request: FastifyRequest,
  role: number,
): Promise<Actor> {
  const bySession = await sessionUser(toolkit, request)
  const { user, keyId } = bySession ? { user: bySession } : await bearer(toolkit, request)
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

/**
 * Requires the header that repeats the user id: only the page of that user knows it, and no other site can send it. Throws
 * USER_HEADER_*.
 */
export function requireUserHeader({ headers }: FastifyRequest, { id }: Pick<SessionUser, 'id'>): void {
  const header = USER_HEADERS.map((name) => headers[name]).find((value) => value !== undefined && value !== '')
  if (typeof header !== 'string') throw new GatewayError('USER_HEADER_MISSING')
  if (!/^-?\d+$/.test(header)) throw new GatewayError('USER_HEADER_MALFORMED')
  if (Number(header) !== id) throw new GatewayError('USER_HEADER_MISMATCH')
}

/** Whose access token or management key it is. Throws NOT_SIGNED_IN, ACCESS_TOKEN_INVALID, and SCOPE_* if the key does not cover the route. */
async function bearer(
  toolkit: Pick<Toolkit, 'accessTokens' | 'managementKeys'>,
  request: FastifyRequest,
): Promise<{ user: SessionUser; keyId?: number }> {
  if ((request.headers.authorization ?? '') === '') throw new GatewayError('NOT_SIGNED_IN')
  const holder = await findHolder(toolkit, request)
  if (!holder) throw new GatewayError('ACCESS_TOKEN_INVALID')
  if (holder.scopes) requireScope(request, holder.scopes)
  return holder
}

/** The user of an access token or management key, whatever it may be used for; undefined if it is void. */
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
