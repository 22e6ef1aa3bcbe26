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
]
