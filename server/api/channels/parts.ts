import type { UnderWay } from '../../channels/under-way.ts'
import type { ApiParts } from '../parts.ts'

/** What the routes that ask upstreams are given. */
export interface ChannelParts extends ApiParts {
  underWay: UnderWay
}
