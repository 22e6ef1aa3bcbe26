import { ALI_KINDS } from './kinds/ali.ts'
import { ANTHROPIC_KINDS } from './kinds/anthropic.ts'
import { APPLICATION_KINDS } from './kinds/applications.ts'
import { AWS_KINDS } from './kinds/aws.ts'
import { BAIDU_KINDS } from './kinds/baidu.ts'
import { COMPATIBLE_KINDS } from './kinds/compatible.ts'
import { GOOGLE_KINDS } from './kinds/google.ts'
import { OPEN_MODEL_KINDS } from './kinds/open-models.ts'
import { OPENAI_KINDS } from './kinds/openai.ts'
import { RANKING_KINDS } from './kinds/ranking.ts'
import { TENCENT_KINDS } from './kinds/tencent.ts'
import { XUNFEI_KINDS } from './kinds/xunfei.ts'
import { ZHIPU_KINDS } from './kinds/zhipu.ts'
import type { DialectName, Operation } from './operations.ts'
import type { Quirks } from './quirks.ts'
import { UNSERVED_TYPES, type UnservedType } from './unserved-types.ts'

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

/** One kind of upstream. All that is peculiar to a vendor stands in its row and nowhere else. */
export interface ChannelType {
  /** The number that channels store. */
  readonly type: number
  readonly name: string
  /** What to call it on the command line. */
  readonly slug: string
  readonly family: Family
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
  /** What the credential looks like, for prompts. */
  readonly keyFormat: string
  /** What the channel's `other` field means; absent = nothing. */
  readonly other?: string
  /** What an empty `other` stands for. */
  readonly otherDefault?: string
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
  /** Where to ask what is left in the account; absent = the vendor does not tell. */
  readonly balance?: BalanceSource
  /** How to ask which models there are; absent = the vendor does not tell. */
  readonly modelList?: ModelListSource
}

/** Every kind that can be relayed, by its number. */
export const CHANNEL_TYPES: readonly ChannelType[] = [
  ...ALI_KINDS,
  ...ANTHROPIC_KINDS,
  ...AWS_KINDS,
  ...BAIDU_KINDS,
  ...COMPATIBLE_KINDS,
  ...GOOGLE_KINDS,
  ...OPENAI_KINDS,
  ...OPEN_MODEL_KINDS,
  ...RANKING_KINDS,
  ...TENCENT_KINDS,
  ...APPLICATION_KINDS,
  ...XUNFEI_KINDS,
  ...ZHIPU_KINDS,
].sort((a, b) => a.type - b.type)

const BY_NUMBER: ReadonlyMap<number, ChannelType> = new Map(CHANNEL_TYPES.map((row) => [row.type, row]))
const UNSERVED_BY_NUMBER = new Map(UNSERVED_TYPES.map((row) => [row.type, row]))
const BY_WORD: ReadonlyMap<string, ChannelType> = new Map(
  CHANNEL_TYPES.flatMap((row) => [row.slug, row.name].map((word): [string, ChannelType] => [word.toLowerCase(), row])),
)

/** Undefined for a type nobody knows: its channels are kept and shown, and never chosen for a relay. */
export function findChannelType(type: number): ChannelType | undefined {
  return BY_NUMBER.get(type)
}

/** A kind that the documented API numbers, whether it can be relayed or not. */
export function findAnyType(type: number): ChannelType | UnservedType | undefined {
  return BY_NUMBER.get(type) ?? UNSERVED_BY_NUMBER.get(type)
}

/** The type somebody names by number, slug or name, in any case. */
export function parseChannelType(text: string): ChannelType | undefined {
  const word = text.trim().toLowerCase()
  return /^\d+$/.test(word) ? BY_NUMBER.get(Number(word)) : BY_WORD.get(word)
}
