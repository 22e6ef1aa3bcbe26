import { audioOutputTokens, transcriptionTokens } from '../../../core/pricing/audio-tokens.ts'
import type { PromptContents } from '../counting/prompt.ts'
import { refuse } from '../dialects/refuse.ts'
import { secondsOf } from './duration.ts'
import {
  allowText,
  checkEndpointStream,
  type Endpoint,
  type EndpointAsk,
  requireField,
  wantsStream,
} from './endpoint.ts'
import { readMediaUsage, transcriptionUsage } from './reported-usage.ts'

/*
 * If the operator has set a price per call for a speech or transcription model, that price applies. Otherwise, the
 * ratio of the model applies.
 */

/** The endpoint that creates speech from a text. `tts` models are priced by character, other models by token. */
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
  outputToHold: (ask) => spokenOutput(ask, SLOW_FACTOR),
  streams: ({ body }) => body.stream_format === 'sse',
  completionTokens: (ask) => spokenOutput(ask, 1),
  reported: readMediaUsage,
}

/** The endpoint that transcribes a recording. If the upstream reports no tokens, the recording's length is charged. */
export const transcriptions: Endpoint = {
  defaultModel: 'whisper-1',
  multipart: true,
  check(ask) {
    const file = ask.upload?.files.find(({ field }) => field === 'file')
    if (!file) refuse('file is required: send the recording as a file of a multipart/form-data body')
    if (file.bytes === 0) refuse('file is empty: send a recording')
    // Reject several files: the upstream would get all files, but the price would cover only one.
    if (ask.upload && ask.upload.files.length > 1) refuse('file: send one recording, and no other file')
    checkEndpointStream(ask)
  },
  async prompt({ upload }): Promise<PromptContents> {
    const file = upload?.files.find(({ field }) => field === 'file')
    return { texts: [], otherTokens: file ? transcriptionTokens(await secondsOf(file)) : 0 }
  },
  streams: wantsStream,
  completionTokens: () => 0,
  reported: transcriptionUsage,
}

/**
 * Characters per second of usual speech. `DENSE_PER_SECOND` is for syllabic and logographic scripts, whose characters
 * take longer to speak.
 */
const CHARACTERS_PER_SECOND = 15
const DENSE_PER_SECOND = 4
/**
 * The first code point that `DENSE_PER_SECOND` applies to. Hangul, kana and Chinese characters come after the
 * alphabets.
 */
const FIRST_DENSE = 0x1100
/**
 * Factor for the longest possible audio of a text. Clients may request half the usual speed, and the audio has pauses.
 */
const SLOW_FACTOR = 2

/** Returns the output tokens of a spoken text, or 0 if the model is priced by character. */
function spokenOutput({ body, model }: EndpointAsk, factor: number): number {
  if (model.startsWith('tts')) return 0
  let dense = 0
  let others = 0
  for (const character of body.input as string) {
    if ((character.codePointAt(0) as number) >= FIRST_DENSE) dense += 1
    else others += 1
  }
  return audioOutputTokens((dense / DENSE_PER_SECOND + others / CHARACTERS_PER_SECOND) * factor)
}

/** Returns the number of code points of a text. Creates no array, because the text may be long. */
function charactersIn(text: string): number {
  let characters = 0
  for (const _ of text) characters += 1
  return characters
}
