import { randomUUID } from 'node:crypto'
import type { RelayError } from '../dialects/dialect.ts'
import { isObject, isTooDeep, type Json, objectOf, parseObject, textOf } from '../json.ts'

/** An error as a realtime client reads it. `cause`: the client's own id of the event that is refused. */
export function errorEvent({ type, code, message, param }: Omit<RelayError, 'status' | 'requestId'>, cause?: unknown) {
  const eventId = typeof cause === 'string' ? cause : null
  const error = { type, code, message, param, event_id: eventId }
  return JSON.stringify({ type: 'error', event_id: `event_${randomUUID().replaceAll('-', '')}`, error })
}

/** Where events name the model that answers, by whatever name the event goes. */
const MODEL_PLACES = ['session', 'response']

/**
 * Every model that a client's event asks to answer, and where. A session is priced by the model that it began with, so that
 * another one is refused. For the models of transcriptions see `transcriptionModelsOf`.
 */
export function modelsOf(event: Json): { param: string; model: unknown }[] {
  return MODEL_PLACES.map((place) => ({ param: `${place}.model`, model: placeIn(event, place).model })).filter(
    ({ model }) => model !== undefined && model !== null,
  )
}

const TRANSCRIPTIONS = new Set(['input_audio_transcription', 'transcription'])
/** What the client defines itself: any name may stand in it. */
const CLIENT_DEFINED = new Set(['tools', 'item'])

/**
 * The models that a client's event asks to transcribe what is heard: of a conversation, and of a session for transcriptions
 * alone. Undefined stands for settings that name no model: the upstream chooses one. Names count in any case, because some
 * upstreams read them so.
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

/** The same event, for the upstream's name of the model wherever it names one. */
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
