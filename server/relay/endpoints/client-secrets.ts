import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../../core/errors.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, textOf } from '../json.ts'

/** A request for a key with which a browser may open a realtime session. */
interface SecretRequest {
  readonly model: string
  /** The initial settings of the session, without the model. */
  readonly session: Json
  /** The lifetime of the key. */
  readonly seconds: number
}

/**
 * Lifetime of a key in seconds:
 * https://platform.openai.com/docs/api-reference/realtime-sessions/create-realtime-client-secret
 */
const SECONDS = { min: 10, max: 7200, usual: 600 } as const
/** Lifetime of a key in the beta of realtime sessions, in seconds. */
const BETA_SECONDS = 60
const SESSION_BYTES_MAX = 64 * 1024

/** Parses the body of `POST /v1/realtime/client_secrets`. Throws REQUEST_MALFORMED, MODEL_REQUIRED. */
export function parseSecretRequest(body: Json): SecretRequest {
  const { session = {}, expires_after: expiry } = body
  if (!isRecord(session)) refuse('session must be an object', 'session')
  const { anchor = 'created_at', seconds = SECONDS.usual } = recordOf(expiry)
  if (anchor !== 'created_at') refuse('expires_after.anchor must be created_at', 'expires_after.anchor')
  const isValid = typeof seconds === 'number' && Number.isInteger(seconds)
  if (!isValid || seconds < SECONDS.min || seconds > SECONDS.max) {
    const reason = `expires_after.seconds must be a whole number from ${SECONDS.min} to ${SECONDS.max}`
    refuse(reason, 'expires_after.seconds')
  }
  return { ...modelAndSession(session, 'session'), seconds }
}

/** Parses the body of the beta's `POST /v1/realtime/sessions`, which is the session. Throws the same errors. */
export function parseBetaSecretRequest(body: Json): SecretRequest {
  const { client_secret: _secret, expires_after: _expiry, ...session } = body
  return { ...modelAndSession(session, 'the body'), seconds: BETA_SECONDS }
}

function modelAndSession(session: Json, name: string): Pick<SecretRequest, 'model' | 'session'> {
  const { model: requestedModel, ...settings } = session
  const model = textOf(requestedModel)
  if (model === undefined) throw new GatewayError('MODEL_REQUIRED')
  if (Buffer.byteLength(JSON.stringify(settings)) > SESSION_BYTES_MAX) {
    refuse(`${name} must have at most ${SESSION_BYTES_MAX} bytes`, 'session')
  }
  return { model, session: settings }
}

interface CreatedKey {
  readonly value: string
  /** Time of the expiry in unix seconds. */
  readonly expiresAt: number
}

export function secretReply({ model, session }: SecretRequest, { value, expiresAt }: CreatedKey): Json {
  return { value, expires_at: expiresAt, session: { type: 'realtime', ...session, ...objectFields(model) } }
}

export function betaReply({ model, session }: SecretRequest, { value, expiresAt }: CreatedKey): Json {
  return { ...session, ...objectFields(model), client_secret: { value, expires_at: expiresAt } }
}

function objectFields(model: string): Json {
  return { object: 'realtime.session', id: `sess_${randomUUID().replaceAll('-', '')}`, model }
}
