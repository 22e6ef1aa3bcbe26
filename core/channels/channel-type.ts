import type { DialectName, Operation } from './operations.ts'
import type { Quirks } from './quirks.ts'

/** The wire format a channel's upstream speaks; one provider each. */
export type Family =
  | 'openai'
  | 'azure'
  | 'ollama'
  | 'cloudflare'
  | 'gemini'
  | 'vertex'
  | 'anthropic'
  | 'baidu'
  | 'qianfan'
  | 'zhipu-v3'
  | 'zhipu'
  | 'xunfei'
  | 'tencent'
  | 'dify'
  | 'coze'
  | 'bedrock'
  | 'cohere'
  | 'jina'
  | 'ali'

/** The ways in which vendors tell the balance of an account. */
export type BalanceSource = 'openai' | 'aiproxy' | 'api2gpt' | 'aigc2d' | 'siliconflow' | 'deepseek'

/** The ways in which vendors tell which models they have. */
export type ModelListSource = 'openai' | 'anthropic' | 'gemini' | 'ollama' | 'cohere' | 'qianfan'

/** Work that takes its time: it is submitted, asked after and paid back when it fails, over an API of its own. */
export type TaskKind = 'drawings' | 'music'

/** One kind of upstream. All that is peculiar to a vendor stands in its row and nowhere else. */
export type ChannelType = ConversingType | TaskType

/** Upstreams that answer a request while the client waits, each in the wire format of its family. */
export interface ConversingType extends AnyType {
  readonly family: Family
  readonly tasks?: undefined
}

/** Upstreams that only take tasks: they serve no operation, no provider speaks to them, and there is nothing short to test them with. */
export interface TaskType extends AnyType {
  readonly family?: undefined
  readonly tasks: TaskKind
}

interface AnyType {
  /** The number that channels store. */
  readonly type: number
  readonly name: string
  /** What to call it on the command line. */
  readonly slug: string
  /** What its upstreams can be asked. */
  readonly operations: readonly Operation[]
  /** The formats in which they converse, dearest first: a client's own is taken if it is among them, else the first. */
  readonly dialects: readonly DialectName[]
  /** Those instead, at another address than the vendor's own. */
  readonly dialectsElsewhere?: readonly DialectName[]
  /** Where the vendor serves it, without `/v1`; '' = only the operator knows. */
  readonly baseUrl: string
  readonly baseUrlRequired: boolean
  /** Where the vendor speaks OpenAI's format, if that is another host; a channel's own base URL replaces it too. */
  readonly compatibleUrl?: string
  /** The base URL is the whole address of the endpoint, `{model}` in it standing for the model's upstream name. */
  readonly completeUrl?: boolean
  /** What to call the address, where the vendor has a word of its own for it. */
  readonly baseUrlName?: string
  /** What the address looks like, where the operator must know it. */
  readonly baseUrlExample?: string
  /** What the credential looks like, for prompts. */
  readonly keyFormat: string
  /** The credential may be a JSON document, of many lines. */
  readonly keyDocument?: boolean
  /** A channel's `openai_organization` is sent. */
  readonly organization?: boolean
  /** What to call the channel's `other` field; absent = it has no meaning. */
  readonly otherName?: string
  /** What the channel's `other` field means; absent = nothing. */
  readonly other?: string
  /** What an empty `other` stands for. */
  readonly otherDefault?: string
  /** Without `other` nothing can be asked. */
  readonly otherRequired?: boolean
  /** Upstream path by the OpenAI path it replaces, where they differ. */
  readonly path?: Readonly<Record<string, string>>
  /** What it does otherwise than OpenAI. */
  readonly quirks?: Quirks
  /** The upstream takes `stream_options.include_usage`. */
  readonly streamUsage: boolean
  /** Not offered for new channels; existing ones still work. */
  readonly hidden: boolean
  /** What a new channel serves unless somebody says otherwise. */
  readonly models: readonly string[]
  /** The documented built-in models, where `models` has newer ones besides. */
  readonly presets?: readonly string[]
  /** What a channel is tested with whose models are all retired. */
  readonly testModel?: string
  /** Where to ask what is left in the account; absent = the vendor does not tell. */
  readonly balance?: BalanceSource
  /** How to ask which models there are; absent = the vendor does not tell. */
  readonly modelList?: ModelListSource
}
