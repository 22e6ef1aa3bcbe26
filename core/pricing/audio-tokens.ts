/*
 * Tokens that stand for audio. Transcriptions are sold by them; the others only count a realtime session whose upstream
 * reports nothing.
 */

const TRANSCRIBED_PER_MINUTE = 1000
/** From what a minute and a million tokens were once listed for: 6 cents to 100 dollars, 24 cents to 200. */
const HEARD_PER_MINUTE = 100 / 0.06
const SPOKEN_PER_MINUTE = 200 / 0.24

/** Prompt tokens of a recording to be transcribed. A begun second counts whole. */
export function transcribedTokens(seconds: number): number {
  return Math.round((Math.ceil(seconds) / 60) * TRANSCRIBED_PER_MINUTE)
}

/** Prompt tokens of audio that a realtime model hears. */
export function heardTokens(seconds: number): number {
  return Math.trunc((seconds / 60) * HEARD_PER_MINUTE)
}

/** Completion tokens of audio that a realtime model speaks. */
export function spokenTokens(seconds: number): number {
  return Math.trunc((seconds / 60) * SPOKEN_PER_MINUTE)
}
