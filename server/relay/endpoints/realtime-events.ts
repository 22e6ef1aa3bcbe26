import { randomUUID } from 'node:crypto'
import type { RelayError } from '../dialects/dialect.ts'
import { isObject, isTooDeep, type Json, objectOf, parseObject, textOf } from '../json.ts'

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

/** The event in a frame; undefined when it is no JSON object, or one too deep to be written anew. */
export function eventIn(frame: Buffer): Json | undefined {
  const event = parseObject(frame.toString())
  return event && !isTooDeep(event, frame.length) ? event : undefined
}

/**
 * What a client reads of an upstream's event: the model under the client's own name for it, and the words of errors
 * cleaned. The very event where nothing is to be changed.
 */
export function forClient(
  event: Json,
  { models, clean }: { models: { asked: string; upstream: string }; clean: (text: string) => string },
): Json {
  const session = objectOf(event.session)
  const response = objectOf(event.response)
  const changed: Json = {}
  if (models.asked !== models.upstream && textOf(session.model)) changed.session = { ...session, model: models.asked }
  if (event.error) changed.error = cleaned(event.error, clean)
  if (response.status_details)
    changed.response = { ...response, status_details: cleaned(response.status_details, clean) }
  return Object.keys(changed).length ? { ...event, ...changed } : event
}

function cleaned(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((item) => cleaned(item, clean))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleaned(inner, clean)]))
}
