import { serviceAccountKey } from '../../../support/service-account.ts'
import { ERROR_TEXT } from '../meant.ts'
import { paths, type StandIn, sendJson } from '../mock-upstreams.ts'
import { chatStandIn } from '../stand-ins/chat.ts'
import { googleToken, vertexClaude } from '../stand-ins/claude.ts'
import { cohere } from '../stand-ins/cohere.ts'
import { completions } from '../stand-ins/completions.ts'
import type { Upstream } from '../upstreams.ts'

const KEY = 'sk-upstream-key-of-the-matrix'
const AWS_KEY = 'AKIDEXAMPLE|secret-of-the-matrix|us-east-1'

/** The ready-made mock tells errors of every vendor as OpenAI does. */
const failing =
  (fail: StandIn, answer: StandIn): StandIn =>
  (call) =>
    call.feature === 'error' ? fail(call) : answer(call)
const awsError: StandIn = (call) =>
  sendJson(call, { message: ERROR_TEXT }, { status: 500, headers: { 'x-amzn-errortype': 'InternalServerException' } })
const googleError: StandIn = (call) =>
  sendJson(call, { error: { code: 500, message: ERROR_TEXT, status: 'INTERNAL' } }, { status: 500 })

export const GIANT_UPSTREAMS: Upstream[] = [
  {
    name: 'OpenAI chat',
    channel: (url) => ({ type: 1, base_url: url, key: KEY }),
    answer: (aimock) => paths({ '/v1/chat/completions': aimock(), '/v1/completions': completions }),
  },
  {
    name: 'OpenAI Responses',
    channel: (url) => ({ type: 1, base_url: url, key: KEY, setting: '{"dialects":["openai-responses"]}' }),
    answer: (aimock) => paths({ '/v1/responses': aimock() }),
  },
  {
    name: 'Azure',
    channel: (url) => ({ type: 3, base_url: url, key: KEY }),
    answer: (aimock) =>
      paths({
        '/openai/deployments/{model}/chat/completions': aimock(),
        '/openai/deployments/{model}/completions': completions,
        '/openai/v1/responses': aimock('/v1/responses'),
        '/openai/responses': aimock('/v1/responses'),
      }),
  },
  {
    name: 'Anthropic',
    model: 'claude-sonnet-4-6',
    channel: (url) => ({ type: 14, base_url: url, key: 'sk-ant-key-of-the-matrix' }),
    answer: (aimock) => paths({ '/v1/messages': aimock() }),
  },
  {
    name: 'Gemini',
    model: 'gemini-2.5-flash',
    channel: (url) => ({ type: 24, base_url: url, key: KEY }),
    answer: (aimock) =>
      paths({
        '/v1beta/models/gemini-2.5-flash:generateContent': failing(googleError, aimock()),
        '/v1beta/models/gemini-2.5-flash:streamGenerateContent': failing(googleError, aimock()),
      }),
  },
  {
    name: 'Vertex AI, Gemini',
    model: 'gemini-2.5-flash',
    channel: (url) => ({
      type: 41,
      base_url: url,
      other: 'us-central1',
      key: serviceAccountKey({ token_uri: `${url}/token` }),
    }),
    answer: (aimock) => {
      const place = '/v1/projects/my-project/locations/us-central1/publishers/google/models/gemini-2.5-flash'
      return paths({
        '/token': googleToken,
        [`${place}:generateContent`]: failing(googleError, aimock()),
        [`${place}:streamGenerateContent`]: failing(googleError, aimock()),
      })
    },
  },
  {
    name: 'Vertex AI, Claude',
    model: 'claude-sonnet-4-5-20250929',
    channel: (url) => ({
      type: 41,
      base_url: url,
      other: '{"default":"us-east5"}',
      key: serviceAccountKey({ token_uri: `${url}/token` }),
    }),
    answer: () => {
      const place = '/v1/projects/my-project/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929'
      return paths({
        '/token': googleToken,
        [`${place}:rawPredict`]: vertexClaude,
        [`${place}:streamRawPredict`]: vertexClaude,
      })
    },
  },
  {
    name: 'Vertex AI, open models',
    model: 'meta/llama3-405b-instruct-maas',
    channel: (url) => ({
      type: 41,
      base_url: url,
      other: 'global',
      key: serviceAccountKey({ token_uri: `${url}/token` }),
    }),
    answer: () =>
      paths({
        '/token': googleToken,
        '/v1beta1/projects/my-project/locations/global/endpoints/openapi/chat/completions': chatStandIn(),
      }),
  },
  {
    name: 'Bedrock invoke',
    model: 'claude-3-7-sonnet-20250219',
    channel: (url) => ({ type: 33, base_url: url, key: AWS_KEY }),
    answer: (aimock) =>
      paths({
        '/model/{model}/invoke': failing(awsError, aimock()),
        '/model/{model}/invoke-with-response-stream': failing(awsError, aimock()),
      }),
  },
  {
    name: 'Bedrock converse',
    thinksUnasked: true,
    model: 'amazon.nova-pro-v1:0',
    channel: (url) => ({ type: 33, base_url: url, key: AWS_KEY }),
    answer: (aimock) =>
      paths({
        '/model/{model}/converse': failing(awsError, aimock()),
        '/model/{model}/converse-stream': failing(awsError, aimock()),
      }),
  },
  {
    name: 'Cohere',
    model: 'command-a-reasoning-08-2025',
    channel: (url) => ({ type: 34, base_url: url, key: KEY }),
    answer: () => paths({ '/v2/chat': cohere }),
  },
  {
    name: 'VolcEngine Ark',
    channel: (url) => ({ type: 45, base_url: url, key: KEY }),
    answer: (aimock) =>
      paths({
        '/api/v3/chat/completions': aimock('/v1/chat/completions'),
        '/api/v3/responses': aimock('/v1/responses'),
      }),
  },
  {
    name: 'OpenRouter',
    channel: (url) => ({
      type: 20,
      base_url: `${url}/api`,
      key: KEY,
    }),
    answer: (aimock) =>
      paths({
        '/api/v1/chat/completions': aimock(),
        '/api/v1/completions': completions,
        '/api/v1/messages': aimock('/v1/messages'),
        '/api/v1/responses': aimock('/v1/responses'),
      }),
  },
]
