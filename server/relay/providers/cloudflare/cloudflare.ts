import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { readFailure } from '../failure.ts'
import { openAiPath } from '../openai/address.ts'
import { converse } from '../openai/converse.ts'
import { endpointCall } from '../openai/endpoint.ts'
import { openAiHeaders } from '../openai/openai.ts'
import type { Ask, Means, Plan, Provider } from '../provider.ts'
import { imageBody, imageFromBytes, imageOf } from './images.ts'
import { refuseFormats, transcriptionOf } from './transcriptions.ts'

/** Workers AI: https://developers.cloudflare.com/workers-ai/ */
export const cloudflare: Provider = {
  failure: readFailure,
  async plan(ask, channel, means) {
    if (ask.operation === 'transcriptions') return transcription(ask, channel)
    if (ask.operation === 'images') return image(ask, channel, means)
    if (ask.operation !== 'chat') return endpoint(ask, channel)
    const { path, body, native, reader } = await converse(ask, channel, means)
    return { request: { url: root(channel) + path, headers: openAiHeaders(ask, channel), body }, native, reader }
  },
}

function endpoint(ask: Ask, channel: LiveChannel): Plan {
  const { body, headers, reading } = endpointCall(ask, channel.type)
  const url = root(channel) + openAiPath(ask.operation, ask.dialect)
  return { request: { url, headers: { ...openAiHeaders(ask, channel), ...headers }, body }, native: true, ...reading }
}

/** The sound itself is the body. */
function transcription(ask: Ask, channel: LiveChannel): Plan {
  refuseFormats(ask.body)
  const file = ask.upload?.files.find(({ field }) => field === 'file')
  if (!file) throw new GatewayError('REQUEST_MALFORMED', { reason: 'file: send the recording as a form field' })
  return {
    request: {
      url: runAddress(channel, ask.model),
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

function image(ask: Ask, channel: LiveChannel, means: Means): Plan {
  const created = Math.floor(means.now() / 1000)
  return {
    request: {
      url: runAddress(channel, ask.model),
      headers: openAiHeaders(ask, channel),
      body: JSON.stringify(imageBody(ask.body)),
    },
    native: true,
    bytes: true,
    convert: (reply) => imageOf(reply, created),
    convertBytes: (bytes) => imageFromBytes(bytes, created),
  }
}

function root({ id, other, baseUrl }: LiveChannel): string {
  if (!other) {
    const reason = 'it does not name its account: set its field other to the account id'
    throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason })
  }
  return `${baseUrl}/client/v4/accounts/${encodeURIComponent(other)}/ai`
}

/** Names of models are paths, `@cf/meta/…`: their slashes stay. */
function runAddress(channel: LiveChannel, model: string): string {
  const path = model
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('%40', '@'))
    .join('/')
  return `${root(channel)}/run/${path}`
}
