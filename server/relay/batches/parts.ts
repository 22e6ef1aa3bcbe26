import type { Logger } from 'pino'
import type { ChannelHealth } from '../../../core/channels/health/health.ts'
import type { ChannelDirectory } from '../../../core/channels/routing/directory.ts'
import type { Config } from '../../../core/config.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { BodyBudget } from '../../bodies/budget.ts'
import type { UploadSlots } from '../endpoints/upload-slots.ts'
import type { RunningSubmissions } from '../tasks/running.ts'
import type { OutboundClients } from '../transport/outbound-clients.ts'
import type { BatchUpstream } from './upstream.ts'

export interface BatchParts {
  readonly toolkit: LocalToolkit
  readonly directory: ChannelDirectory
  readonly health: Pick<ChannelHealth, 'begin'>
  readonly links: Pick<OutboundClients, 'providerContextFor'>
  readonly upstream: BatchUpstream
  readonly submissions: RunningSubmissions
  readonly bodies: BodyBudget
  readonly slots: UploadSlots
  /** `bodyMax` is the maximum number of bytes of one request in a batch. */
  readonly config: Pick<Config, 'bodyMax' | 'bodyItemsMax' | 'uploadMax'>
  readonly logger: Logger
}
