import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { type JsonLimits, JsonScan } from '../../bodies/json-scan.ts'
import type { RelayError } from '../dialects/dialect.ts'
import { isTooDeep, type Json, mapTexts, textOf } from '../json.ts'

/** Formats an error for a realtime client. `cause` is the `event_id` of the client's rejected event. */
export function realtimeErrorEvent(
  { type, code, message, param }: Omit<RelayError, 'status' | 'requestId'>,
  cause?: unknown,
) {
  const eventId = typeof cause === 'string' ? cause : null
  const error = { type, code, message, param, event_id: eventId }
  return JSON.stringify({ type: 'error', event_id: `event_${randomUUID().replaceAll('-', '')}`, error })
}

/** Fields of an event that contain an object with an optional field `model`. */
const MODEL_PARENTS = ['session', 'response']

/** Returns the models that a client's event requests for replies, each with the path of its field. */
export function modelsOf(event: Json): { param: string; model: unknown }[] {
  return MODEL_PARENTS.map((parent) => ({ param: `${parent}.model`, model: recordOf(event[parent]).model })).filter(
    ({ model }) => model !== undefined && model !== null,
  )
}

const TRANSCRIPTION_SETTINGS = new Set(['input_audio_transcription', 'transcription'])
/** Fields whose objects the client defines. They are skipped, because the names in them are not API fields. */
const CLIENT_DEFINED = new Set(['tools', 'item'])

/**
 * Returns the transcription models that a client's event requests. Adds undefined for settings without a model, because
 * the upstream then chooses the model. Ignores the case of names, because some upstreams do.
 */
export function transcriptionModelsOf(event: Json): unknown[] {
  const models: unknown[] = []
  const pendingObjects: Json[] = [event]
  for (let object = pendingObjects.pop(); object; object = pendingObjects.pop()) {
    for (const [name, value] of Object.entries(object)) {
      const lower = name.toLowerCase()
      if (!isRecord(value) || CLIENT_DEFINED.has(lower)) continue
      if (!TRANSCRIPTION_SETTINGS.has(lower)) pendingObjects.push(value)
      else {
        const modelFields = Object.entries(value).filter(([key]) => key.toLowerCase() === 'model')
        models.push(...(modelFields.length ? modelFields.map(([, model]) => model) : [undefined]))
      }
    }
  }
  return models
}

/** Returns the JSON of an event in which `model` (the upstream's name) replaces each requested model. */
export function withModel(event: Json, model: string): string {
  const renamed = { ...event }
  for (const parent of MODEL_PARENTS) {
    const fields = recordOf(event[parent])
    if (fields.model !== undefined && fields.model !== null) renamed[parent] = { ...fields, model }
  }
  return JSON.stringify(renamed)
}

/** Parses a frame. Returns undefined if the frame is not a JSON object, or if it exceeds a limit. */
export function parseEvent(frame: Buffer, limits?: JsonLimits): Json | undefined {
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
 * Converts an upstream's event for the client. Replaces the upstream's model name by the client's, and applies `clean`
 * to the texts of errors. Returns the same event if it needs neither.
 */
export function toClientEvent(
  event: Json,
  { models, clean }: { models: { requested: string; upstream: string }; clean: (text: string) => string },
): Json {
  const session = recordOf(event.session)
  const response = recordOf(event.response)
  const changed: Json = {}
  if (models.requested !== models.upstream && textOf(session.model))
    changed.session = { ...session, model: models.requested }
  if (event.error) changed.error = mapTexts(event.error, clean)
  if (response.status_details)
    changed.response = { ...response, status_details: mapTexts(response.status_details, clean) }
  return Object.keys(changed).length ? { ...event, ...changed } : event
}
