import { randomUUID } from 'node:crypto'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { isRecord, recordOf } from '../../../core/records.ts'
import { type JsonLimits, JsonScan } from '../../bodies/json-scan.ts'
import type { RelayError } from '../dialects/dialect.ts'
import { isTooDeep, type Json, textOf } from '../json.ts'

/** Formats an error for a realtime client. `cause` is the client's id of the rejected event. */
export function realtimeErrorEvent(
  { type, code, message, param }: Omit<RelayError, 'status' | 'requestId'>,
  cause?: unknown,
) {
  const eventId = typeof cause === 'string' ? cause : null
  const error = { type, code, message, param, event_id: eventId }
  return JSON.stringify({ type: 'error', event_id: `event_${randomUUID().replaceAll('-', '')}`, error })
}

/** Fields of an event whose objects may have a field `model`. */
const MODEL_PARENTS = ['session', 'response']

/**
 * Returns each model that a client's event names for replies, with the field of the model. The price of a session is
 * the price of its first model, so other models are rejected. For transcription models, see `transcriptionModelsOf`.
 */
export function modelsOf(event: Json): { param: string; model: unknown }[] {
  return MODEL_PARENTS.map((path) => ({ param: `${path}.model`, model: objectAt(event, path).model })).filter(
    ({ model }) => model !== undefined && model !== null,
  )
}

const TRANSCRIPTION_SETTINGS = new Set(['input_audio_transcription', 'transcription'])
/** Fields whose objects the client defines. The names in these objects are not names of the API. */
const CLIENT_DEFINED = new Set(['tools', 'item'])

/**
 * Returns the transcription models that a client's event requests. For settings without a model, the list contains
 * undefined, because the upstream chooses a model. Ignores the case of names, because some upstreams do.
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

/** Returns the JSON of an event in which every model is replaced by `model`, the upstream's name. */
export function withModel(event: Json, model: string): string {
  const renamed = structuredClone(event)
  for (const path of MODEL_PARENTS) {
    const parent = objectAt(renamed, path)
    if (parent.model !== undefined && parent.model !== null) parent.model = model
  }
  return JSON.stringify(renamed)
}

function objectAt(event: Json, path: string): Json {
  return path.split('.').reduce((within, name) => recordOf(within[name]), event)
}

/** Parses the event in a frame. Returns undefined for invalid JSON, and above `limits` or the maximum depth. */
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
 * Converts an upstream's event for the client. Replaces the model by the client's name, and applies `clean` to error
 * texts. Returns the same event if nothing changes.
 */
export function forClient(
  event: Json,
  { models, clean }: { models: { requested: string; upstream: string }; clean: (text: string) => string },
): Json {
  const session = recordOf(event.session)
  const response = recordOf(event.response)
  const changed: Json = {}
  if (models.requested !== models.upstream && textOf(session.model))
    changed.session = { ...session, model: models.requested }
  if (event.error) changed.error = withCleanTexts(event.error, clean)
  if (response.status_details)
    changed.response = { ...response, status_details: withCleanTexts(response.status_details, clean) }
  return Object.keys(changed).length ? { ...event, ...changed } : event
}

function withCleanTexts(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((item) => withCleanTexts(item, clean))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withCleanTexts(inner, clean)]))
}
