import type { DialectName, Operation } from '../routing/operations.ts'
import type { Quirks } from '../settings/quirks.ts'
import type { FieldTextId, NameTextId } from './kind-texts.ts'

/** The wire format of a channel's upstream. Each family has one provider. */
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

/** Kind of long-running work with its own API. A task is submitted, polled, and refunded if it fails. */
export type TaskKind = 'drawings' | 'music'

/** The API for files and batches. Clients and upstreams use the same two APIs. */
export type BatchApi = 'openai' | 'anthropic'

/** One type of upstream. All vendor-specific data is in its row. An absent boolean means false. */
export type ChannelType = ConversingType | TaskType

/** Types whose upstreams reply while the client waits. The family names their wire format. */
interface ConversingType extends AnyType {
  readonly family: Family
  readonly tasks?: undefined
}

/** Types whose upstreams only run tasks. Without operations and a provider, they cannot be tested. */
interface TaskType extends AnyType {
  readonly family?: undefined
  readonly tasks: TaskKind
}

interface AnyType {
  /** The number stored in channels. */
  readonly type: number
  /** The documented name. Metrics use it as a label, and the command line accepts it. `kindName` translates it. */
  readonly name: string
  readonly nameText?: NameTextId
  /** Name on the command line. */
  readonly slug: string
  /** Operations that upstreams of this type support. */
  readonly operations: readonly Operation[]
  /** Conversation formats, most preferred first. If the client's format is missing, the relay uses the first one. */
  readonly dialects: readonly DialectName[]
  /** Replaces `dialects` if the channel's base URL is not the vendor's. */
  readonly dialectsElsewhere?: readonly DialectName[]
  /** The vendor's address, without `/v1`. Empty if there is no default. */
  readonly baseUrl: string
  /** Whether a channel must have a base URL. */
  readonly baseUrlRequired?: boolean
  /** The vendor's address for OpenAI's format, if it differs from `baseUrl`. A channel's base URL replaces both. */
  readonly compatibleUrl?: string
  /** Whether the base URL is the complete endpoint. The relay replaces `{model}` in the URL by the model name. */
  readonly completeUrl?: boolean
  /** The vendor's own term for the address. */
  readonly baseUrlName?: string
  /** Example of the address, if the operator must enter it. */
  readonly baseUrlExample?: string
  /** Description of the credential, for prompts. */
  readonly keyFormat: FieldTextId
  /** Whether the credential may be a multi-line JSON document. */
  readonly keyDocument?: boolean
  /** API for batches of requests; absent: none. */
  readonly batchApi?: BatchApi
  /** Whether the relay sends a channel's `openai_organization`. */
  readonly organization?: boolean
  /** Name of the channel's `other` field. Absent if the type does not use the field. */
  readonly otherName?: FieldTextId
  /** Meaning of the channel's `other` field. Absent if the type does not use the field. */
  readonly other?: FieldTextId
  /** The default of `other`. */
  readonly otherDefault?: string
  /** Whether requests require `other`. */
  readonly otherRequired?: boolean
  /** Paths at the upstream, by the path of OpenAI's API that they replace. */
  readonly path?: Readonly<Record<string, string>>
  /** Differences from OpenAI. */
  readonly quirks?: Quirks
  /** Whether the upstream accepts `stream_options.include_usage`. */
  readonly streamUsage?: boolean
  /** Whether the type is not offered for new channels. Existing channels still work. */
  readonly hidden?: boolean
  /** The default models of a new channel. */
  readonly models: readonly string[]
  /** The models that the documented API lists for this type, if `models` also contains newer models. */
  readonly presets?: readonly string[]
  /** The test model for channels whose models are all retired. */
  readonly testModel?: string
  /** API for the account's balance; absent: none. */
  readonly balance?: BalanceSource
  /** API for the list of models; absent: none. */
  readonly modelList?: ModelListSource
}
