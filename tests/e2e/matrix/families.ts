import type { NewChannel } from '../../../core/channels/channel.ts'
import type { Feature } from './meant.ts'

/** One upstream of the matrix: a channel, what serves it, and what its format cannot say. */
export interface Upstream {
  /** As the table names it. */
  name: string
  server: 'aimock' | 'own'
  channel: (url: string) => Partial<NewChannel> & { type: number }
  /** The upstream's name of the model, where its own matters. */
  model?: string
  /** Features that the vendor's format has no place for, and why. */
  without?: Partial<Record<Feature, string>>
  /** The format has a place for usage, but this server leaves it empty: it is counted. */
  countsUsage?: boolean
}

const KEY = 'sk-upstream-key-of-the-matrix'

export const UPSTREAMS: Upstream[] = [
  { name: 'OpenAI chat', server: 'aimock', channel: (url) => ({ type: 1, base_url: url, key: KEY }) },
  {
    name: 'OpenAI Responses',
    server: 'aimock',
    channel: (url) => ({ type: 1, base_url: url, key: KEY, setting: '{"dialects":["openai-responses"]}' }),
  },
  { name: 'Azure', server: 'aimock', channel: (url) => ({ type: 3, base_url: url, key: KEY }) },
  {
    name: 'Anthropic',
    server: 'aimock',
    model: 'claude-sonnet-4-6',
    channel: (url) => ({ type: 14, base_url: url, key: 'sk-ant-key-of-the-matrix' }),
  },
  {
    name: 'Gemini',
    server: 'aimock',
    model: 'gemini-2.5-flash',
    channel: (url) => ({ type: 24, base_url: url, key: KEY }),
  },
  {
    name: 'Bedrock invoke',
    server: 'aimock',
    model: 'claude-3-7-sonnet-20250219',
    channel: (url) => ({ type: 33, base_url: url, key: 'AKIDEXAMPLE|secret-of-the-matrix|us-east-1' }),
  },
  {
    name: 'Bedrock converse',
    server: 'aimock',
    model: 'amazon.nova-pro-v1:0',
    channel: (url) => ({ type: 33, base_url: url, key: 'AKIDEXAMPLE|secret-of-the-matrix|us-east-1' }),
  },
  {
    name: 'Cohere',
    server: 'aimock',
    model: 'command-a-03-2025',
    channel: (url) => ({ type: 34, base_url: url, key: KEY }),
  },
  {
    name: 'OpenRouter',
    server: 'aimock',
    channel: (url) => ({ type: 20, base_url: `${url}/api`, key: KEY }),
  },
  {
    name: 'VolcEngine Ark',
    server: 'aimock',
    channel: (url) => ({ type: 45, base_url: url, key: KEY }),
  },
]
