import type { NewChannel } from '../../../core/channels/channel.ts'
import type { Feature, Meant } from './meant.ts'
import type { MockUpstream, StandIn } from './mock-upstreams.ts'
import { COMPATIBLE_UPSTREAMS } from './rows/compatible.ts'
import { GIANT_UPSTREAMS } from './rows/giants.ts'
import { OWN_FORMAT_UPSTREAMS } from './rows/own-formats.ts'

/** One row of the matrix: a channel, what answers behind it, and what its format cannot say. */
export interface Upstream extends Pick<MockUpstream, 'socket'> {
  /** As the table names it. */
  name: string
  channel: (url: string) => Partial<NewChannel> & { type: number }
  /** `aimock` hands a request on to the ready-made mock, as it came or at another path. */
  answer: (aimock: (path?: string) => StandIn) => StandIn
  /** The upstream's name of the model, where its own matters. */
  model?: string
  /** Features that the vendor's format has no place for. A text is a note to the mark. */
  lacks?: Partial<Record<Feature, true | string>>
  /** What a chat client reads otherwise, since the vendor's own words pass to it as they are. */
  inChat?: { reasoning?: Meant; completionTokens?: number }
  /** It reports no usage: the gateway counts. */
  tellsNoUsage?: boolean
  /** Whether its models think is not for the client to say. */
  thinksUnasked?: boolean
  /** What a reader of the table should know besides. */
  note?: string
}

/** Large vendors first, then those with OpenAI's format, then those with a format of their own. */
export const UPSTREAMS: readonly Upstream[] = [...GIANT_UPSTREAMS, ...COMPATIBLE_UPSTREAMS, ...OWN_FORMAT_UPSTREAMS]

export const slugOf = ({ name }: Pick<Upstream, 'name'>): string => name.toLowerCase().replace(/\W+/g, '-')
