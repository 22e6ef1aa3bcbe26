import { commaList } from '../../input.ts'
import type { ChannelType } from '../types/channel-type.ts'

/** The Claude models that the documented presets contain. */
export const DOCUMENTED_CLAUDE_MODELS = commaList(`
  claude-instant-1.2, claude-2, claude-2.0, claude-2.1, claude-3-sonnet-20240229, claude-3-opus-20240229,
  claude-3-haiku-20240307, claude-3-5-haiku-20241022, claude-3-5-sonnet-20240620, claude-3-5-sonnet-20241022
`)

/** The documented models, which Anthropic no longer serves. */
export const RETIRED_CLAUDE_MODELS: ReadonlySet<string> = new Set(DOCUMENTED_CLAUDE_MODELS)

/** The models of Anthropic and its resellers, newest first, because channel tests use the first model. */
export const CLAUDE_MODELS = [
  'claude-opus-5',
  'claude-sonnet-5',
  'claude-opus-4-8',
  'claude-opus-4-7',
  'claude-opus-4-6',
  'claude-sonnet-4-6',
  'claude-haiku-4-5',
  'claude-opus-4-5',
  'claude-sonnet-4-5',
  'claude-3-7-sonnet-20250219',
  'claude-3-7-sonnet-20250219-thinking',
  ...DOCUMENTED_CLAUDE_MODELS,
] as const

export const ANTHROPIC_KINDS = [
  {
    type: 14,
    name: 'Anthropic Claude',
    slug: 'anthropic',
    family: 'anthropic',
    operations: ['chat'],
    dialects: ['anthropic-messages'],
    baseUrl: 'https://api.anthropic.com',
    keyFormat: 'channelField.apiKeySkAnt',
    batchApi: 'anthropic',
    modelList: 'anthropic',
    models: CLAUDE_MODELS,
    presets: DOCUMENTED_CLAUDE_MODELS,
    testModel: 'claude-haiku-4-5',
  },
] as const satisfies readonly ChannelType[]
