import type { Language } from '../../messages/language.ts'

/** The Chinese texts of type rows. A text that is missing here is the same in both languages. */
const ZH: Readonly<Record<string, string>> = {
  // key formats
  'API key': 'API Key',
  'API key (sk-…)': 'API Key（sk-…）',
  'API key (sk-ant-…)': 'API Key（sk-ant-…）',
  'API key (sk-or-…)': 'API Key（sk-or-…）',
  'API key (AIza…)': 'API Key（AIza…）',
  'API key (pplx-…)': 'API Key（pplx-…）',
  'API key (jina_…)': 'API Key（jina_…）',
  'API key (xai-…)': 'API Key（xai-…）',
  'API key (id.secret)': 'API Key（id.secret）',
  'API key (bce-v3/…), or API key|appid': 'API Key（bce-v3/…），或 API Key|appid',
  'API key (fastgpt-…), or APIKey-AppId': 'API Key（fastgpt-…），或 APIKey-AppId',
  'API key; any text if the server asks for none': 'API Key；服务器不要求密钥时可填任意内容',
  'API token': 'API 令牌',
  'APPID|APISecret|APIKey, or an APIPassword': 'APPID|APISecret|APIKey，或 APIPassword',
  'AccessKey|SecretKey|Region, or BedrockApiKey|Region': 'AccessKey|SecretKey|Region，或 BedrockApiKey|Region',
  'AppId|SecretId|SecretKey, or an API key (sk-…)': 'AppId|SecretId|SecretKey，或 API Key（sk-…）',
  'access token (pat_…)': '访问令牌（pat_…）',
  "an app's key (app-…)": '应用的密钥（app-…）',
  'key of the resource, or an Entra token (eyJ…)': '资源的密钥，或 Entra 令牌（eyJ…）',
  'none, or the token of a proxy before it': '无需密钥时可填任意内容；前面有代理时填其令牌',
  "the proxy's mj-api-secret": '代理的 mj-api-secret',
  "the server's API key": '服务器的 API Key',
  'the whole JSON key of a service account, or an API key of express mode':
    '服务账号的完整 JSON 密钥，或快速模式的 API Key',
  // the field `other`: its names and meanings
  'API version': 'API 版本',
  'API version; v1 = the versionless API': 'API 版本；v1 表示无版本的 API',
  'account id': 'Account ID',
  'bot id': '智能体 ID',
  "the bot's id": '智能体（Bot）的 ID',
  'kind of app': '应用类型',
  'kind of app: chat, agent, completion or workflow': '应用类型：chat、agent、completion 或 workflow',
  plugins: '插件参数',
  'description of plugins, sent as X-DashScope-Plugin': '插件的描述，作为 X-DashScope-Plugin 请求头发送',
  region: '部署地区',
  'region such as us-central1 or global, or a JSON object of models and their regions, with a default':
    '部署地区，例如 us-central1 或 global；也可以是各模型对应地区的 JSON 对象，其中必须包含 default',
  'Spark version': '星火大模型版本',
  'Spark version, for models whose name has none': '星火大模型版本，用于名称中不含版本的模型',
}

/** Names of types that differ between the languages. A type's row has either the Chinese or the English name. */
const NAMES: readonly Readonly<Record<Language, string>>[] = [
  { zh: '自定义渠道', en: 'Custom' },
  { zh: '百度文心千帆', en: 'Baidu Qianfan' },
  { zh: '百度文心千帆V2', en: 'Baidu Qianfan V2' },
  { zh: '智谱 ChatGLM', en: 'Zhipu ChatGLM' },
  { zh: '智谱 GLM-4V', en: 'Zhipu GLM-4V' },
  { zh: '阿里通义千问', en: 'Alibaba Qwen' },
  { zh: '讯飞星火认知', en: 'iFlytek Spark' },
  { zh: '360 智脑', en: '360 Zhinao' },
  { zh: '知识库：AI Proxy', en: 'knowledge base: AI Proxy' },
  { zh: '知识库：FastGPT', en: 'knowledge base: FastGPT' },
  { zh: '腾讯混元', en: 'Tencent Hunyuan' },
  { zh: '零一万物', en: '01.AI' },
  { zh: '嵌入模型：MokaAI M3E', en: 'embeddings: MokaAI M3E' },
]

/** Returns a type's name in one language. */
export function kindName(name: string, language: Language): string {
  return NAMES.find(({ zh, en }) => zh === name || en === name)?.[language] ?? name
}

/** Returns a type row's text in one language. */
export function kindText(text: string, language: Language): string {
  return language === 'zh' ? (ZH[text] ?? text) : text
}
