import { COMPLETION_TOKENS, ERROR_TEXT, THOUGHTS_IN_TEXT } from '../meant.ts'
import { paths, type StandIn, sendJson } from '../mock-upstreams.ts'
import { chatStandIn } from '../stand-ins/chat.ts'
import { completions } from '../stand-ins/completions.ts'
import { ollamaChat } from '../stand-ins/ollama.ts'
import type { Upstream } from '../upstreams.ts'

const KEY = 'sk-upstream-key-of-the-matrix'
const XAI_THOUGHT_TOKENS = 4

/** All that Mistral documents; anything else is an error there. */
const MISTRAL_FIELDS = [
  ...['model', 'temperature', 'top_p', 'max_tokens', 'stream', 'stop', 'random_seed', 'messages', 'response_format'],
  ...['tools', 'tool_choice', 'presence_penalty', 'frequency_penalty', 'n', 'prediction', 'parallel_tool_calls'],
  ...['prompt_mode', 'safe_prompt', 'reasoning_effort'],
]

const imagesIn = (body: Record<string, unknown>): string[] =>
  [...JSON.stringify(body).matchAll(/"url":"([^"]+)"/g)].map(([, url = '']) => url)

const minimaxFails: StandIn = (call) => sendJson(call, { base_resp: { status_code: 1000, status_msg: ERROR_TEXT } })
const zhipuFails: StandIn = (call) => sendJson(call, { error: { code: '1234', message: ERROR_TEXT } }, { status: 500 })
const xaiFails: StandIn = (call) => sendJson(call, { code: 'Internal error', error: ERROR_TEXT }, { status: 500 })
const siliconFails: StandIn = (call) =>
  sendJson(call, { code: 50505, message: ERROR_TEXT, data: null }, { status: 503 })
const aliFails: StandIn = (call) =>
  sendJson(call, { error: { code: 'InternalError', message: ERROR_TEXT }, request_id: '1' }, { status: 500 })
const cloudflareFails: StandIn = (call) =>
  sendJson(call, { success: false, result: null, errors: [{ code: 7000, message: ERROR_TEXT }] }, { status: 500 })

export const COMPATIBLE_UPSTREAMS: Upstream[] = [
  {
    name: 'Mistral',
    thinksUnasked: true,
    channel: (url) => ({ type: 42, base_url: url, key: KEY }),
    answer: () =>
      paths({
        '/v1/chat/completions': chatStandIn({
          reasoning: 'parts',
          usage: 'with the end',
          wholeCalls: true,
          only: MISTRAL_FIELDS,
          refuses: (body) =>
            /"(id|tool_call_id)":"(?![A-Za-z0-9]{9}")/.test(JSON.stringify(body)) ? 'tool call id' : undefined,
          fails: (call) => sendJson(call, { object: 'error', message: ERROR_TEXT, type: 'internal' }, { status: 500 }),
        }),
      }),
  },
  {
    name: 'DeepSeek',
    channel: (url) => ({ type: 43, base_url: url, key: KEY }),
    answer: (aimock) =>
      paths({
        '/v1/chat/completions': chatStandIn({ keepAlive: true, usage: 'with the end' }),
        '/beta/completions': completions,
        '/anthropic/v1/messages': aimock('/v1/messages'),
      }),
  },
  {
    name: 'Zhipu v4',
    channel: (url) => ({ type: 26, base_url: url, key: 'id.secret' }),
    answer: (aimock) =>
      paths({
        '/api/paas/v4/chat/completions': chatStandIn({
          usage: 'with the end',
          fails: zhipuFails,
          refuses: (body) =>
            imagesIn(body).some((url) => url.startsWith('data:')) ? 'image: not bare base64' : undefined,
        }),
        '/api/anthropic/v1/messages': aimock('/v1/messages'),
      }),
  },
  {
    name: 'Qianfan v2',
    channel: (url) => ({ type: 46, base_url: url, key: 'bce-v3/ALTAK-matrix/key|app-1' }),
    answer: () => paths({ '/v2/chat/completions': chatStandIn() }),
  },
  {
    name: 'Ali DashScope',
    channel: (url) => ({ type: 17, base_url: url, key: KEY }),
    answer: () =>
      paths({
        '/compatible-mode/v1/chat/completions': chatStandIn({ fails: aliFails }),
        '/compatible-mode/v1/completions': completions,
      }),
  },
  {
    name: 'Perplexity',
    channel: (url) => ({ type: 27, base_url: url, key: KEY }),
    answer: () =>
      paths({
        '/chat/completions': chatStandIn({ reasoning: 'think tags', usage: 'in each', repeats: true, noDone: true }),
      }),
    lacks: { tools: true, 'parallel tools': true },
    inChat: { reasoning: THOUGHTS_IN_TEXT },
  },
  {
    name: 'MiniMax',
    channel: (url) => ({ type: 35, base_url: url, key: KEY }),
    answer: (aimock) =>
      paths({
        '/v1/text/chatcompletion_v2': chatStandIn({ usage: 'with the end', repeats: true, fails: minimaxFails }),
        '/anthropic/v1/messages': aimock('/v1/messages'),
      }),
  },
  {
    name: 'Moonshot',
    channel: (url) => ({ type: 25, base_url: url, key: KEY }),
    answer: (aimock) =>
      paths({
        '/v1/chat/completions': chatStandIn({ usageInChoice: true }),
        '/anthropic/v1/messages': aimock('/v1/messages'),
      }),
  },
  {
    name: 'xAI',
    channel: (url) => ({ type: 48, base_url: url, key: KEY }),
    answer: (aimock) =>
      paths({
        '/v1/chat/completions': chatStandIn({ usage: 'in each', untoldTokens: XAI_THOUGHT_TOKENS, fails: xaiFails }),
        '/v1/responses': aimock(),
        '/v1/messages': aimock(),
      }),
    inChat: { completionTokens: COMPLETION_TOKENS - XAI_THOUGHT_TOKENS },
    note: 'the reported completion tokens do not include reasoning. Chat clients get this number, but the charge includes reasoning',
  },
  {
    name: 'SiliconFlow',
    channel: (url) => ({ type: 40, base_url: url, key: KEY }),
    answer: () =>
      paths({
        '/v1/chat/completions': chatStandIn({ usage: 'in each', fails: siliconFails }),
        '/v1/completions': completions,
      }),
  },
  {
    name: 'Yi',
    channel: (url) => ({ type: 31, base_url: url, key: KEY }),
    answer: () => paths({ '/v1/chat/completions': chatStandIn({ reasoning: 'none' }) }),
    lacks: { reasoning: true },
  },
  {
    name: '360',
    channel: (url) => ({ type: 19, base_url: url, key: KEY }),
    answer: () => paths({ '/v1/chat/completions': chatStandIn({ reasoning: 'none', usage: 'with the end' }) }),
    lacks: { reasoning: true },
  },
  {
    name: 'FastGPT',
    channel: (url) => ({ type: 22, base_url: `${url}/api/openapi`, key: 'fastgpt-key-of-the-matrix' }),
    answer: () =>
      paths({
        '/api/openapi/v1/chat/completions': chatStandIn({
          usage: 'never',
          eventName: 'answer',
          refuses: ({ detail }) => (detail === true ? 'detail' : undefined),
        }),
      }),
    tellsNoUsage: true,
    note: 'the upstream reports no usage, so the gateway counts tokens',
  },
  {
    name: 'Xinference',
    channel: (url) => ({ type: 47, base_url: url, key: KEY, setting: '{"force_format":true}' }),
    answer: () =>
      paths({
        '/v1/chat/completions': chatStandIn({ reasoning: 'think tags' }),
        '/v1/completions': completions,
      }),
    note: 'tested with `"force_format": true`',
  },
  {
    name: 'Cloudflare',
    channel: (url) => ({ type: 39, base_url: url, other: 'account-1', key: KEY }),
    answer: (aimock) =>
      paths({
        '/client/v4/accounts/account-1/ai/v1/chat/completions': chatStandIn({
          reasoning: 'think tags',
          fails: cloudflareFails,
        }),
        '/client/v4/accounts/account-1/ai/v1/responses': aimock('/v1/responses'),
      }),
    inChat: { reasoning: THOUGHTS_IN_TEXT },
  },
  {
    name: 'Ollama',
    channel: (url) => ({ type: 4, base_url: url, key: 'none' }),
    answer: () =>
      paths({
        '/v1/chat/completions': chatStandIn({ reasoning: 'reasoning' }),
        '/v1/completions': completions,
        '/api/chat': ollamaChat,
      }),
  },
  {
    name: 'Custom',
    channel: (url) => ({
      type: 8,
      base_url: `${url}/models/{model}/answer`,
      key: KEY,
      setting: '{"dialects":["openai-chat"]}',
    }),
    answer: () => paths({ '/models/matrix-custom/answer': chatStandIn({ reasoning: 'reasoning', usage: 'in each' }) }),
  },
]
