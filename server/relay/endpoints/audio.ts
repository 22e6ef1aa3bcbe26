import { spokenTokens, transcribedTokens } from '../../../core/pricing/audio-tokens.ts'
import type { PromptSize } from '../counting/prompt.ts'
import { secondsOf } from './duration.ts'
import { allowText, checkStream, type Endpoint, refuse, requireField, wantsStream } from './endpoint.ts'
import { tokenUsage, transcriptionUsage } from './reported-usage.ts'

/*
 * A price per call that an operator has set for a speech or transcription model is charged as everywhere else: whoever
 * writes one down means it. Without one it is the ratio.
 */

/** Audio from a text: `tts` models are sold by the character, others by the token. */
export const speech: Endpoint = {
  defaultModel: 'tts-1',
  multipart: false,
  check({ body }) {
    requireField(body, 'input')
    allowText(body, 'input')
  },
  prompt({ body, model }) {
    const input = body.input as string
    return model.startsWith('tts')
      ? { texts: [], otherTokens: charactersIn(input) }
      : { texts: typeof body.instructions === 'string' ? [input, body.instructions] : [input], otherTokens: 0 }
  },
  // Models that are sold by the character say nothing for tokens.
  outputToHold: ({ body, model }) =>
    model.startsWith('tts') ? 0 : spokenTokens(charactersIn(body.input as string) / CHARACTERS_PER_SECOND),
  streams: ({ body }) => body.stream_format === 'sse',
  completionTokens: () => 0,
  reported: tokenUsage,
}

/** The text of a recording, in its own language. Sold by the minute, unless the upstream reports tokens. */
export const transcriptions: Endpoint = {
  defaultModel: 'whisper-1',
  multipart: true,
  check(ask) {
    const file = ask.upload?.files.find(({ field }) => field === 'file')
    if (!file) refuse('file is required: send the recording as a file of a multipart/form-data body')
    if (file.bytes === 0) refuse('file is empty: send a recording')
    // All of them go on, but one is what the price is made of.
    if (ask.upload && ask.upload.files.length > 1) refuse('file: send one recording, and no other file')
    checkStream(ask)
  },
  async prompt({ upload }): Promise<PromptSize> {
    const file = upload?.files.find(({ field }) => field === 'file')
    return { texts: [], otherTokens: file ? transcribedTokens(await secondsOf(file)) : 0 }
  },
  streams: wantsStream,
  completionTokens: () => 0,
  reported: transcriptionUsage,
}

/** Spoken slowly; usual speech has about fifteen. */
const CHARACTERS_PER_SECOND = 8

/** Characters as people count them, not UTF-16 units. Counted in place: a text may be long. */
function charactersIn(text: string): number {
  let characters = 0
  for (const _ of text) characters += 1
  return characters
}
