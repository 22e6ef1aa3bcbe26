import type { ChannelType } from '../types/channel-type.ts'

/** Groups of AWS regions that serve a model together. An inference profile's id begins with the area. */
export type BedrockArea = 'us' | 'eu' | 'apac' | 'jp' | 'au' | 'global'

/** Bedrock's id of a model, and the areas with an inference profile for it. */
interface BedrockModel {
  readonly id: string
  readonly areas: readonly BedrockArea[]
}

const EVERYWHERE = ['us', 'eu', 'jp', 'au', 'global'] as const
const WITHOUT_JAPAN = ['us', 'eu', 'au', 'global'] as const

/** Older Claude models, which the documented API lists. Models without areas exist only in single regions. */
const DOCUMENTED_MODELS = {
  'claude-instant-1.2': { id: 'anthropic.claude-instant-v1', areas: [] },
  'claude-2.0': { id: 'anthropic.claude-v2', areas: [] },
  'claude-2.1': { id: 'anthropic.claude-v2:1', areas: [] },
  'claude-3-sonnet-20240229': { id: 'anthropic.claude-3-sonnet-20240229-v1:0', areas: ['us', 'eu', 'apac'] },
  'claude-3-opus-20240229': { id: 'anthropic.claude-3-opus-20240229-v1:0', areas: ['us'] },
  'claude-3-haiku-20240307': { id: 'anthropic.claude-3-haiku-20240307-v1:0', areas: ['us', 'eu', 'apac'] },
  'claude-3-5-sonnet-20240620': { id: 'anthropic.claude-3-5-sonnet-20240620-v1:0', areas: ['us', 'eu', 'apac'] },
  'claude-3-5-sonnet-20241022': { id: 'anthropic.claude-3-5-sonnet-20241022-v2:0', areas: ['us', 'apac'] },
  'claude-3-5-haiku-20241022': { id: 'anthropic.claude-3-5-haiku-20241022-v1:0', areas: ['us'] },
} as const satisfies Record<string, BedrockModel>

/**
 * Newer models, which are only available through inference profiles.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html
 */
const NEWER_MODELS = {
  'claude-3-7-sonnet-20250219': { id: 'anthropic.claude-3-7-sonnet-20250219-v1:0', areas: ['us'] },
  'claude-sonnet-4-20250514': {
    id: 'anthropic.claude-sonnet-4-20250514-v1:0',
    areas: ['us', 'eu', 'apac', 'global'],
  },
  'claude-opus-4-20250514': { id: 'anthropic.claude-opus-4-20250514-v1:0', areas: ['us'] },
  'claude-opus-4-1-20250805': { id: 'anthropic.claude-opus-4-1-20250805-v1:0', areas: ['us'] },
  'claude-sonnet-4-5-20250929': { id: 'anthropic.claude-sonnet-4-5-20250929-v1:0', areas: EVERYWHERE },
  'claude-sonnet-4-5': { id: 'anthropic.claude-sonnet-4-5-20250929-v1:0', areas: EVERYWHERE },
  'claude-haiku-4-5-20251001': { id: 'anthropic.claude-haiku-4-5-20251001-v1:0', areas: EVERYWHERE },
  'claude-haiku-4-5': { id: 'anthropic.claude-haiku-4-5-20251001-v1:0', areas: EVERYWHERE },
  'claude-opus-4-5-20251101': { id: 'anthropic.claude-opus-4-5-20251101-v1:0', areas: ['us', 'eu', 'global'] },
  'claude-opus-4-5': { id: 'anthropic.claude-opus-4-5-20251101-v1:0', areas: ['us', 'eu', 'global'] },
  'claude-opus-4-6': { id: 'anthropic.claude-opus-4-6-v1', areas: WITHOUT_JAPAN },
  'claude-sonnet-4-6': { id: 'anthropic.claude-sonnet-4-6', areas: EVERYWHERE },
  'claude-opus-4-7': { id: 'anthropic.claude-opus-4-7', areas: EVERYWHERE },
  'claude-opus-4-8': { id: 'anthropic.claude-opus-4-8', areas: EVERYWHERE },
  'claude-sonnet-5': { id: 'anthropic.claude-sonnet-5', areas: WITHOUT_JAPAN },
  'claude-opus-5': { id: 'anthropic.claude-opus-5', areas: WITHOUT_JAPAN },
} as const satisfies Record<string, BedrockModel>

/** Bedrock's models by the names that Anthropic uses. */
export const BEDROCK_MODELS: ReadonlyMap<string, BedrockModel> = new Map(
  Object.entries({ ...DOCUMENTED_MODELS, ...NEWER_MODELS }),
)

export const AWS_KINDS = [
  {
    type: 33,
    name: 'AWS Claude',
    slug: 'aws',
    family: 'bedrock',
    operations: ['chat'],
    dialects: ['anthropic-messages'],
    baseUrl: '',
    keyFormat: 'channelField.accessKeyAws',
    models: [...BEDROCK_MODELS.keys()],
    presets: Object.keys(DOCUMENTED_MODELS),
  },
] as const satisfies readonly ChannelType[]
