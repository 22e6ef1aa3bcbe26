import type { DialectName, Operation } from '../routing/operations.ts'
import type { Quirks } from '../settings/quirks.ts'

/** The wire format of a channel's upstream; one provider each. */
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

/** The balance APIs of vendors. */
export type BalanceSource = 'openai' | 'aiproxy' | 'api2gpt' | 'aigc2d' | 'siliconflow' | 'deepseek'

/** The model list APIs of vendors. */
export type ModelListSource = 'openai' | 'anthropic' | 'gemini' | 'ollama' | 'cohere' | 'qianfan'

/** Long-running work with its own API: submitted, polled, and refunded if it fails. */
export type TaskKind = 'drawings' | 'music'

/** The API for files and batches, of upstreams and of clients. */
export type BatchApi = 'openai' | 'anthropic'

/** One type of upstream. All vendor-specific data is in its row. */
export type ChannelType = ConversingType | TaskType

/** Upstreams that reply while the client waits, in the wire format of their family. */
export interface ConversingType extends AnyType {
  readonly family: Family
  readonly tasks?: undefined
}

/** Upstreams for tasks only: they have no operations, no provider, and no short test. */
export interface TaskType extends AnyType {
  readonly family?: undefined
  readonly tasks: TaskKind
}

interface AnyType {
  /** The number stored in channels. */
  readonly type: number
  readonly name: string
  /** Name on the command line. */
  readonly slug: string
  /** Operations that its upstreams support. */
  readonly operations: readonly Operation[]
  /** Conversation formats, most preferred first: the client's own is used if listed, otherwise the first. */
  readonly dialects: readonly DialectName[]
  /** Replaces `dialects` at an address other than the vendor's. */
  readonly dialectsElsewhere?: readonly DialectName[]
  /** The vendor's address, without `/v1`; '' = no default. */
  readonly baseUrl: string
  readonly baseUrlRequired: boolean
  /** The vendor's address for OpenAI's format, if that is another host; a channel's own base URL replaces it too. */
  readonly compatibleUrl?: string
  /** The base URL is the complete endpoint, with `{model}` for the model's upstream name. */
  readonly completeUrl?: boolean
  /** The vendor's own term for the address. */
  readonly baseUrlName?: string
  /** Example of the address, if the operator must enter it. */
  readonly baseUrlExample?: string
  /** Description of the credential, for prompts. */
  readonly keyFormat: string
  /** The credential may be a multi-line JSON document. */
  readonly keyDocument?: boolean
  /** Its API for batches of requests; absent = none. */
  readonly batchApi?: BatchApi
  /** A channel's `openai_organization` is sent. */
  readonly organization?: boolean
  /** Name of the channel's `other` field; absent = unused. */
  readonly otherName?: string
  /** Meaning of the channel's `other` field; absent = unused. */
  readonly other?: string
  /** The default of `other`. */
  readonly otherDefault?: string
  /** Requests need `other`. */
  readonly otherRequired?: boolean
  /** Upstream path by the OpenAI path it replaces, where they differ. */
  readonly path?: Readonly<Record<string, string>>
  /** Differences from OpenAI. */
  readonly quirks?: Quirks
  /** The upstream accepts `stream_options.include_usage`. */
  readonly streamUsage: boolean
  /** Not offered for new channels; existing ones still work. */
  readonly hidden: boolean
  /** The default models of a new channel. */
  readonly models: readonly string[]
  /** The documented built-in models, if `models` also has newer ones. */
  readonly presets?: readonly string[]
  /** The test model for channels whose models are all retired. */
  readonly testModel?: string
  /** API for the account's balance; absent = none. */
  readonly balance?: BalanceSource
  /** API for the list of models; absent = none. */
  readonly modelList?: ModelListSource
}
