import { randomUUID } from 'node:crypto'
import type { RelayError } from '../dialects/dialect.ts'
import { type Json, objectOf, textOf } from '../json.ts'

/** An error as a realtime client reads it. `cause`: the client's own id of the event that is refused. */
export function errorEvent({ type, code, message, param }: Omit<RelayError, 'status' | 'requestId'>, cause?: unknown) {
  const eventId = typeof cause === 'string' ? cause : null
  const error = { type, code, message, param, event_id: eventId }
  return JSON.stringify({ type: 'error', event_id: `event_${randomUUID().replaceAll('-', '')}`, error })
}

/**
 * The model that a client's event asks the session to go on with. A session is priced by the model that it began with, so
 * another one is refused. The models of transcriptions within a session are other fields.
 */
export function modelOf(event: Json): string | undefined {
  return event.type === 'session.update' ? textOf(objectOf(event.session).model) : undefined
}

/** The same event, for the upstream's name of the model. */
export function withModel(event: Json, model: string): string {
  return JSON.stringify({ ...event, session: { ...objectOf(event.session), model } })
}
