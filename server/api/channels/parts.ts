import type { PendingCalls } from '../../channels/under-way.ts'
import type { ApiParts } from '../parts.ts'

export interface ChannelParts extends ApiParts {
  underWay: PendingCalls
}
