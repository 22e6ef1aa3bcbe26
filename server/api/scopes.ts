import type { FastifyRequest } from 'fastify'
import { GatewayError } from '../../core/errors.ts'
import { covers, type Scope, type ScopeNoun, type ScopeVerb } from '../../core/management-keys/scopes.ts'

/**
 * The scope that a route needs. Every key may call a `free` route. No key may call a `never` route, such as a route of
 * credentials, of the owner's money or of chats.
 */
type ScopeNeeded = Scope | 'free' | 'never'

interface ApiCall {
  method: string
  /** The path as registered, with `:id` for a parameter. */
  path: string
  /** Whether this is a GET route that changes data. */
  acts: boolean
}

/** Routes that CLI commands read before other calls. Every key may call them. */
const FREE = new Set(['/api/user/identity', '/api/user/models', '/api/models', '/api/pricing', '/api/group/'])
/** POST routes that only read, with their input in the body. */
const READ_BY_POST = new Set(['/api/token/find', '/api/configuration/plan'])
/** POST routes that delete the channels that the body lists. */
const DELETE_BY_POST = new Set(['/api/channel/batch'])
const CREATE = /\/(several|:id\/copy|made)$|\/$/
const TEST = /\/(test|update_balance)(\/:id)?$/
const TEST_BY_POST = new Set(['/api/notify/:id/test'])

const NOUNS: readonly [path: RegExp, noun: ScopeNoun][] = [
  [/^\/api\/redemption\//, 'codes'],
  [/^\/api\/channel\//, 'channels'],
  [/^\/api\/token\//, 'tokens'],
  [/^\/api\/user\/($|search$|by-name$|manage$|:id(\/quota)?$)/, 'users'],
  [/^\/api\/(log|data)\//, 'logs'],
  [/^\/api\/(mj|task)\//, 'tasks'],
  [/^\/api\/batch\//, 'batches'],
  [/^\/api\/file\//, 'files'],
  [/^\/api\/option\//, 'options'],
  [/^\/api\/group\//, 'groups'],
  [/^\/api\/limit\//, 'limits'],
  [/^\/api\/notify\//, 'notices'],
  [/^\/api\/pricing\//, 'pricing'],
  [/^\/api\/ledger\//, 'ledger'],
  [/^\/api\/audit$/, 'audit'],
  [/^\/api\/jobs$/, 'jobs'],
  [/^\/api\/status\/test$/, 'status'],
  [/^\/api\/configuration(\/|$)/, 'configuration'],
]

/** Returns the scope that a call needs, or `never` for unlisted paths. */
export function scopeNeeded({ method, path, acts }: ApiCall): ScopeNeeded {
  if (method === 'GET' && FREE.has(path)) return 'free'
  const [, noun] = NOUNS.find(([pattern]) => pattern.test(path)) ?? []
  return noun === undefined ? 'never' : `${noun}:${verbOf({ method, path, acts })}`
}

function verbOf({ method, path, acts }: ApiCall): ScopeVerb {
  if ((TEST.test(path) && acts) || TEST_BY_POST.has(path)) return 'test'
  if ((method === 'GET' || method === 'HEAD') && !acts) return 'read'
  if (method === 'DELETE' || DELETE_BY_POST.has(path)) return 'delete'
  if (READ_BY_POST.has(path)) return 'read'
  return method === 'POST' && CREATE.test(path) ? 'create' : 'update'
}

/** Throws SCOPE_MISSING or SCOPE_NEVER if the scopes of a key do not include the route. */
export function requireScope({ method, routeOptions }: FastifyRequest, scopes: readonly string[]): void {
  const { url: path = '', config } = routeOptions
  const needed = scopeNeeded({ method, path, acts: config.acts === true })
  if (needed === 'free') return
  if (needed === 'never') throw new GatewayError('SCOPE_NEVER')
  if (!covers(scopes, needed)) throw new GatewayError('SCOPE_MISSING', { scope: needed })
}
