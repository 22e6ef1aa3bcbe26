import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../../core/errors.ts'
import { type JsonLimits, JsonScan } from '../../bodies/json-scan.ts'
import type { RelayError } from '../dialects/dialect.ts'
import { isObject, isTooDeep, type Json, objectOf, parseObject, textOf } from '../json.ts'

/** Formats an error for a realtime client. `cause` is the client's id of the rejected event. */
export function errorEvent({ type, code, message, param }: Omit<RelayError, 'status' | 'requestId'>, cause?: unknown) {
  const eventId = typeof cause === 'string' ? cause : null
  const error = { type, code, message, param, event_id: eventId }
  return JSON.stringify({ type: 'error', event_id: `event_${randomUUID().replaceAll('-', '')}`, error })
}

/** The fields of events that contain the model. */
const MODEL_PLACES = ['session', 'response']

/**
 * Returns every model that a client's event requests for replies, and its field. A session is priced by its first model, so
 * others are rejected. For transcription models see `transcriptionModelsOf`.
 */
export function modelsOf(event: Json): { param: string; model: unknown }[] {
  return MODEL_PLACES.map((place) => ({ param: `${place}.model`, model: placeIn(event, place).model })).filter(
    ({ model }) => model !== undefined && model !== null,
  )
}

const TRANSCRIPTIONS = new Set(['input_audio_transcription', 'transcription'])
/** Client-defined objects, which may contain any names. */
const CLIENT_DEFINED = new Set(['tools', 'item'])

/**
 * Returns the transcription models that a client's event requests, in a conversation or a transcription session. Undefined:
 * settings without a model, for which the upstream chooses one. Names match in any case, because some upstreams ignore case.
 */
export function transcriptionModelsOf(event: Json): unknown[] {
  const models: unknown[] = []
  const waiting: Json[] = [event]
  for (let object = waiting.pop(); object; object = waiting.pop()) {
    for (const [name, value] of Object.entries(object)) {
      const lower = name.toLowerCase()
      if (!isObject(value) || CLIENT_DEFINED.has(lower)) continue
      if (!TRANSCRIPTIONS.has(lower)) waiting.push(value)
      else {
        const named = Object.entries(value).filter(([key]) => key.toLowerCase() === 'model')
        models.push(...(named.length ? named.map(([, model]) => model) : [undefined]))
      }
    }
  }
  return models
}

/** Returns the event with the upstream's name of the model. */
export function withModel(event: Json, model: string): string {
  const renamed = structuredClone(event)
  for (const place of MODEL_PLACES) {
    const named = placeIn(renamed, place)
    if (named.model !== undefined && named.model !== null) named.model = model
  }
  return JSON.stringify(renamed)
}

function placeIn(event: Json, place: string): Json {
  return place.split('.').reduce((within, name) => objectOf(within[name]), event)
}

/** Parses the event in a frame; undefined if it is not a JSON object, or nested too deeply to be rebuilt. */
export function eventIn(frame: Buffer, limits?: JsonLimits): Json | undefined {
  if (limits && !isWithin(frame, limits)) return undefined
  const event = parseObject(frame.toString())
  return event && !isTooDeep(event, frame.length) ? event : undefined
}

function isWithin(frame: Buffer, limits: JsonLimits): boolean {
  try {
    new JsonScan(limits).read(frame)
    return true
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}

/**
 * Converts an upstream's event for the client: the client's name of the model, and cleaned error texts. Returns the same event
 * if nothing changes.
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
