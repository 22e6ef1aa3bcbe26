import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'

/** What the routes of every resource are given. */
export interface ApiParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  /** Unix seconds. */
  startedAt: number
}
