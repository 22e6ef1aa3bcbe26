/** Estimates the tokens of audio: transcriptions, spoken texts, and realtime sessions without reported usage. */

const TRANSCRIPTION_TOKENS_PER_MINUTE = 1000
/**
 * The price of a million tokens divided by the price of a minute, in former list prices of OpenAI (dollars). new-api
 * uses the same quotients.
 */
const INPUT_TOKENS_PER_MINUTE = 100 / 0.06
const OUTPUT_TOKENS_PER_MINUTE = 200 / 0.24

/** Returns the prompt tokens of a recording to transcribe. Rounds up to whole seconds. */
export function transcriptionTokens(seconds: number): number {
  return Math.round((Math.ceil(seconds) / 60) * TRANSCRIPTION_TOKENS_PER_MINUTE)
}

/** Returns the prompt tokens of audio input to a realtime model. */
export function audioInputTokens(seconds: number): number {
  return Math.trunc((seconds / 60) * INPUT_TOKENS_PER_MINUTE)
}

/** Returns the completion tokens of a spoken text or of a realtime model's audio output. */
export function audioOutputTokens(seconds: number): number {
  return Math.trunc((seconds / 60) * OUTPUT_TOKENS_PER_MINUTE)
}
