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

/* If the operator has set no price per call for a model, these endpoints charge tokens at the ratio of the model. */

/** The endpoint that creates speech from a text. For `tts` models, each character of the text counts as a token. */
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

/** The endpoint that transcribes a recording. Charges the recording's length if the upstream reports no tokens. */
export const transcriptions: Endpoint = {
  defaultModel: 'whisper-1',
  multipart: true,
  check(ask) {
    const file = recordingOf(ask)
    if (!file) refuse('file is required: send the recording as a file of a multipart/form-data body')
    if (file.bytes === 0) refuse('file is empty: send a recording')
    // The upstream would get all files, but the price would cover only one.
    if (ask.upload && ask.upload.files.length > 1) refuse('file: send one recording, and no other file')
    checkEndpointStream(ask)
  },
  async prompt(ask): Promise<PromptContents> {
    const file = recordingOf(ask)
    return { texts: [], otherTokens: file ? transcriptionTokens(await secondsOf(file)) : 0 }
  },
  streams: wantsStream,
  completionTokens: () => 0,
  reported: transcriptionUsage,
}

function recordingOf({ upload }: EndpointAsk) {
  return upload?.files.find(({ field }) => field === 'file')
}

/** Characters per second of usual speech in alphabetic scripts. */
const CHARACTERS_PER_SECOND = 15
/** Characters per second of usual speech in dense scripts, which are Hangul, kana and Chinese characters. */
const DENSE_PER_SECOND = 4
/** The first code point of dense scripts. Alphabets have lower code points. */
const FIRST_DENSE = 0x1100
/** Factor for the longest audio of a text to hold, because clients may request a low speed, and audio has pauses. */
const SLOW_FACTOR = 2

/** Returns the output tokens of a spoken text, or 0 for `tts` models, whose price covers the output. */
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

/** Returns the number of code points of a text, without an array, because the text may be long. */
function charactersIn(text: string): number {
  let characters = 0
  for (const _ of text) characters += 1
  return characters
}
