/*
 * Token counts of audio. Transcriptions are priced by them; the others are only used if the upstream of a realtime session
 * reports no usage.
 */

const TRANSCRIBED_PER_MINUTE = 1000
/** From former list prices of a minute and of a million tokens: 6 cents to 100 dollars, 24 cents to 200. */
const HEARD_PER_MINUTE = 100 / 0.06
const SPOKEN_PER_MINUTE = 200 / 0.24

/** Returns the prompt tokens of a recording to transcribe. Rounds up to whole seconds. */
export function transcribedTokens(seconds: number): number {
  return Math.round((Math.ceil(seconds) / 60) * TRANSCRIBED_PER_MINUTE)
}

/** Returns the prompt tokens of audio input to a realtime model. */
export function heardTokens(seconds: number): number {
  return Math.trunc((seconds / 60) * HEARD_PER_MINUTE)
}

/** Returns the completion tokens of a realtime model's audio output. */
export function spokenTokens(seconds: number): number {
  return Math.trunc((seconds / 60) * SPOKEN_PER_MINUTE)
}
