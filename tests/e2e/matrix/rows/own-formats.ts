import { ERROR_TEXT } from '../meant.ts'
import { paths, type StandIn, sendJson } from '../mock-upstreams.ts'
import { baidu } from '../stand-ins/baidu.ts'
import { chatStandIn } from '../stand-ins/chat.ts'
import { coze } from '../stand-ins/coze.ts'
import { dify, difyAgent } from '../stand-ins/dify.ts'
import { tencent } from '../stand-ins/tencent.ts'
import { spark } from '../stand-ins/xunfei.ts'
import { zhipuV3 } from '../stand-ins/zhipu-v3.ts'
import type { Upstream } from '../upstreams.ts'

const APP_TOOLS = 'the tools are set in the app, so tools of requests are omitted'

const sparkFails: StandIn = (call) =>
  sendJson(call, { error: { message: ERROR_TEXT, type: 'api_error', param: null, code: '10012' } }, { status: 500 })

export const OWN_FORMAT_UPSTREAMS: Upstream[] = [
  {
    name: 'Baidu v1',
    model: 'ERNIE-3.5-8K',
    channel: (url) => ({ type: 15, base_url: url, key: 'key-of-the-matrix|secret-of-the-matrix' }),
    answer: () => baidu,
    lacks: {
      'parallel tools': 'at most one call in a reply',
      'image in': true,
      reasoning: true,
      'structured output': true,
    },
  },
  {
    name: 'Zhipu v3',
    model: 'chatglm_pro',
    channel: (url) => ({ type: 16, base_url: url, key: 'id.secret' }),
    answer: () =>
      paths({
        '/api/paas/v3/model-api/chatglm_pro/invoke': zhipuV3,
        '/api/paas/v3/model-api/chatglm_pro/sse-invoke': zhipuV3,
      }),
    lacks: {
      tools: true,
      'parallel tools': true,
      'image in': true,
      reasoning: true,
      'structured output': true,
    },
  },
  {
    name: 'Xunfei Spark',
    thinksUnasked: true,
    model: 'SparkDesk-v4.0',
    channel: (url) => ({ type: 18, base_url: url, key: 'app|secret-of-the-matrix|key-of-the-matrix' }),
    // Requests with tools are asked over HTTP.
    answer: () => paths({ '/v1/chat/completions': chatStandIn({ wholeCalls: true, usage: 'with the end' }) }),
    socket: spark,
    lacks: { 'image in': true, 'structured output': true },
  },
  {
    name: 'Xunfei Spark, HTTP',
    model: '4.0Ultra',
    channel: (url) => ({ type: 18, base_url: url, key: 'password-of-the-matrix' }),
    answer: () =>
      paths({ '/v1/chat/completions': chatStandIn({ wholeCalls: true, usage: 'with the end', fails: sparkFails }) }),
  },
  {
    name: 'Tencent Hunyuan',
    thinksUnasked: true,
    model: 'hunyuan-pro',
    channel: (url) => ({ type: 23, base_url: url, key: 'app|id-of-the-matrix|secret-of-the-matrix' }),
    answer: () => paths({ '/?': tencent }),
    lacks: { 'structured output': true },
  },
  {
    name: 'Tencent Hunyuan, API key',
    model: 'hunyuan-pro',
    channel: (url) => ({ type: 23, base_url: url, key: 'sk-key-of-the-matrix' }),
    answer: () => paths({ '/v1/chat/completions': chatStandIn({ usage: 'in each' }) }),
  },
  {
    name: 'Dify',
    thinksUnasked: true,
    channel: (url) => ({ type: 37, base_url: url, key: 'app-key-of-the-matrix' }),
    answer: () => dify,
    lacks: { tools: APP_TOOLS, 'parallel tools': APP_TOOLS, 'structured output': true },
  },
  {
    name: 'Dify, agent',
    thinksUnasked: true,
    channel: (url) => ({ type: 37, base_url: url, other: 'agent', key: 'app-key-of-the-matrix' }),
    answer: () => difyAgent,
    lacks: { tools: APP_TOOLS, 'parallel tools': APP_TOOLS, 'image in': true, 'structured output': true },
  },
  {
    name: 'Coze',
    thinksUnasked: true,
    channel: (url) => ({ type: 49, base_url: url, other: 'bot-1', key: 'pat_key-of-the-matrix' }),
    answer: () => coze,
    lacks: { tools: APP_TOOLS, 'parallel tools': APP_TOOLS, 'structured output': true },
  },
]
