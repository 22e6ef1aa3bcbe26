import type { ChannelType } from '../channel-type.ts'

/** Documented for the kinds that serve Claude. */
export const DOCUMENTED_CLAUDE_MODELS = [
  'claude-instant-1.2',
  'claude-2',
  'claude-2.0',
  'claude-2.1',
  'claude-3-sonnet-20240229',
  'claude-3-opus-20240229',
  'claude-3-haiku-20240307',
  'claude-3-5-haiku-20241022',
  'claude-3-5-sonnet-20240620',
  'claude-3-5-sonnet-20241022',
] as const

/** What Claude's vendor and its resellers serve today, with the documented ones. */
export const CLAUDE_MODELS = [
  ...DOCUMENTED_CLAUDE_MODELS,
  'claude-3-7-sonnet-20250219',
  'claude-3-7-sonnet-20250219-thinking',
  'claude-opus-5',
  'claude-sonnet-5',
  'claude-opus-4-8',
  'claude-opus-4-7',
  'claude-opus-4-6',
  'claude-sonnet-4-6',
  'claude-haiku-4-5',
  'claude-opus-4-5',
  'claude-sonnet-4-5',
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
    baseUrlRequired: false,
    keyFormat: 'API key (sk-ant-…)',
    streamUsage: false,
    hidden: false,
    modelList: 'anthropic',
    models: CLAUDE_MODELS,
    presets: DOCUMENTED_CLAUDE_MODELS,
  },
] as const satisfies readonly ChannelType[]
