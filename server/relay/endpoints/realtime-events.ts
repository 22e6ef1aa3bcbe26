import { randomUUID } from 'node:crypto'
import type { RelayError } from '../dialects/dialect.ts'
import { type Json, objectOf } from '../json.ts'

/** An error as a realtime client reads it. `cause`: the client's own id of the event that is refused. */
export function errorEvent({ type, code, message, param }: Omit<RelayError, 'status' | 'requestId'>, cause?: unknown) {
  const eventId = typeof cause === 'string' ? cause : null
  const error = { type, code, message, param, event_id: eventId }
  return JSON.stringify({ type: 'error', event_id: `event_${randomUUID().replaceAll('-', '')}`, error })
}

/** Where events name a model, by whatever name the event goes: a transcription's is told in the words of both versions. */
const MODEL_PLACES = [
  'session',
  'response',
  'input_audio_transcription',
  'session.input_audio_transcription',
  'session.audio.input.transcription',
]

/**
 * Every model that a client's event names, and where. A session is priced by the model that it began with, so that another
 * one is refused; nobody would pay for it, nor for one of a transcription.
 */
export function modelsOf(event: Json): { param: string; model: unknown }[] {
  return MODEL_PLACES.map((place) => ({ param: `${place}.model`, model: placeIn(event, place).model })).filter(
    ({ model }) => model !== undefined && model !== null,
  )
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
