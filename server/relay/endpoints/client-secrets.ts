import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../../core/errors.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { type Json, textOf } from '../json.ts'

/** A request for a key with which a browser may open a realtime session. */
interface WantedSecret {
  readonly model: string
  readonly session: Json
  readonly seconds: number
}

/**
 * Lifetime of a key in seconds:
 * https://platform.openai.com/docs/api-reference/realtime-sessions/create-realtime-client-secret
 */
const SECONDS = { min: 10, max: 7200, usual: 600 } as const
/** Lifetime of a key in the beta of realtime sessions. */
const BETA_SECONDS = 60
const SESSION_BYTES_MAX = 64 * 1024

/** Parses the body of `POST /v1/realtime/client_secrets`. Throws REQUEST_MALFORMED, MODEL_REQUIRED. */
export function wantedSecret(body: Json): WantedSecret {
  const { session = {}, expires_after: expiry } = body
  if (!isRecord(session)) throw malformed('session', 'session must be an object')
  const { anchor = 'created_at', seconds = SECONDS.usual } = recordOf(expiry)
  if (anchor !== 'created_at') throw malformed('expires_after.anchor', 'expires_after.anchor must be created_at')
  const isValid = typeof seconds === 'number' && Number.isInteger(seconds)
  if (!isValid || seconds < SECONDS.min || seconds > SECONDS.max) {
    const reason = `expires_after.seconds must be a whole number from ${SECONDS.min} to ${SECONDS.max}`
    throw malformed('expires_after.seconds', reason)
  }
  return { ...modelAndSession(session, 'session'), seconds }
}

/**
 * Parses the body of the beta's `POST /v1/realtime/sessions`, which is the session itself. Throws like `wantedSecret`.
 */
export function wantedBetaSecret(body: Json): WantedSecret {
  const { client_secret: _secret, expires_after: _expiry, ...session } = body
  return { ...modelAndSession(session, 'the body'), seconds: BETA_SECONDS }
}

function modelAndSession(session: Json, name: string): Pick<WantedSecret, 'model' | 'session'> {
  const { model: requestedModel, ...settings } = session
  const model = textOf(requestedModel)
  if (model === undefined) throw new GatewayError('MODEL_REQUIRED')
  if (Buffer.byteLength(JSON.stringify(settings)) > SESSION_BYTES_MAX) {
    throw malformed('session', `${name} must have at most ${SESSION_BYTES_MAX} bytes`)
  }
  return { model, session: settings }
}

function malformed(param: string, reason: string): GatewayError {
  return new GatewayError('REQUEST_MALFORMED', { reason, param })
}

interface CreatedKey {
  readonly value: string
  /** Time of the expiry in unix seconds. */
  readonly expiresAt: number
}

export function secretReply({ model, session }: WantedSecret, { value, expiresAt }: CreatedKey): Json {
  return { value, expires_at: expiresAt, session: { type: 'realtime', ...session, ...objectFields(model) } }
}

export function betaReply({ model, session }: WantedSecret, { value, expiresAt }: CreatedKey): Json {
  return { ...session, ...objectFields(model), client_secret: { value, expires_at: expiresAt } }
}

function objectFields(model: string): Json {
  return { object: 'realtime.session', id: `sess_${randomUUID().replaceAll('-', '')}`, model }
}
