import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { defined, recordOf } from '../../../../core/records.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, textOf } from '../../json.ts'
import { readFailure } from '../failure.ts'
import { openAiPath } from '../openai/address.ts'
import { conversationRequest } from '../openai/converse.ts'
import { endpointPlan } from '../openai/endpoint.ts'
import { openAiHeaders } from '../openai/openai.ts'
import { misconfigured } from '../plan-errors.ts'
import type { Plan, Provider, ProviderContext, ProviderRequest } from '../provider.ts'

/** Workers AI: https://developers.cloudflare.com/workers-ai/ */
export const cloudflare: Provider = {
  failure: readFailure,
  async plan(ask, channel, context) {
    if (ask.operation === 'transcriptions') return planTranscription(ask, channel)
    if (ask.operation === 'images') return planImage(ask, channel, context)
    const headers = openAiHeaders(ask, channel)
    if (ask.operation !== 'chat') {
      const url = accountUrl(channel) + openAiPath(ask.operation, ask.dialect)
      return endpointPlan(ask, channel.type, { url, headers })
    }
    const { path, body, native, reader } = await conversationRequest(ask, channel, context)
    return { request: { url: accountUrl(channel) + path, headers, body }, native, reader }
  },
}

/** Plans a transcription. The request body is the audio file itself. */
function planTranscription(ask: ProviderRequest, channel: LiveChannel): Plan {
  checkTranscriptFormat(ask.body)
  const file = ask.upload?.files.find(({ field }) => field === 'file')
  if (!file) refuse('file: send the recording as a form field')
  return {
    request: {
      url: runUrl(channel, ask.model),
      headers: {
        ...openAiHeaders(ask, channel),
        'content-type': 'application/octet-stream',
        'content-length': String(file.bytes),
      },
      body: () => file.open(),
    },
    native: true,
    convert: (reply) => transcriptionOf(reply, ask.body),
  }
}

/** Throws REQUEST_MALFORMED for unsupported reply formats. */
function checkTranscriptFormat({ response_format }: Readonly<Json>): void {
  if (response_format === undefined || response_format === 'json' || response_format === 'verbose_json') return
  refuse('response_format: this upstream answers json and verbose_json; ask for one of them')
}

function transcriptionOf({ result }: Json, { response_format }: Readonly<Json>): Json {
  const { text = '', words } = recordOf(result)
  return response_format === 'verbose_json' ? defined({ text, words }) : { text }
}

function planImage(ask: ProviderRequest, channel: LiveChannel, context: ProviderContext): Plan {
  const created = Math.floor(context.now() / 1000)
  return {
    request: {
      url: runUrl(channel, ask.model),
      headers: openAiHeaders(ask, channel),
      body: JSON.stringify(imageBody(ask.body)),
    },
    native: true,
    mayBeBinary: true,
    convert: ({ result }) => imageReply(textOf(recordOf(result).image) ?? '', created),
    convertBytes: (bytes) => imageReply(bytes.toString('base64'), created),
  }
}

function accountUrl({ id, other, baseUrl }: LiveChannel): string {
  if (!other) misconfigured(id, 'it does not name its account: set its field other to the account id')
  return `${baseUrl}/client/v4/accounts/${encodeURIComponent(other)}/ai`
}

/** Returns the URL that runs a model. Does not encode slashes, because model names are paths such as `@cf/meta/…`. */
function runUrl(channel: LiveChannel, model: string): string {
  const path = model
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('%40', '@'))
    .join('/')
  return `${accountUrl(channel)}/run/${path}`
}

/** Returns an images request. Throws REQUEST_MALFORMED for several images, because Workers AI generates only one. */
function imageBody({ prompt, size, n, seed, negative_prompt, num_steps, guidance }: Readonly<Json>): Json {
  if (typeof n === 'number' && n > 1) refuse('n: this upstream makes one picture at a time; ask for 1')
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(textOf(size) ?? '')?.map(Number) ?? []
  return defined({ prompt, width, height, seed, negative_prompt, num_steps, guidance })
}

function imageReply(base64: string, created: number): Json {
  return { created, data: [{ b64_json: base64 }] }
}
