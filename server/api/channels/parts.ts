import type { PendingCalls } from '../../channels/under-way.ts'
import type { ApiParts } from '../parts.ts'

/** Dependencies of routes that call upstreams. */
export interface ChannelParts extends ApiParts {
  underWay: PendingCalls
}
