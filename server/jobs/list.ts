import type { ChannelDirectory } from '../../core/channels/directory.ts'
import type { Config } from '../../core/config.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import type { Links } from '../relay/links.ts'
import { pollDrawings } from '../relay/tasks/midjourney/poll.ts'
import type { Job } from './job.ts'

const POLL_EVERY_MS = 15_000

/** What jobs are made of. */
export interface JobParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  config: Config
  links: Links
}

/** What one of all processes does. */
export function generalJobs(_parts: JobParts): Job[] {
  return []
}

/** What one of those processes does that may ask upstreams for tasks (setting UPDATE_TASK). */
export function taskJobs(parts: JobParts): Job[] {
  return [
    {
      name: 'poll-drawings',
      everyMs: POLL_EVERY_MS,
      async run(signal) {
        const written = await pollDrawings(parts, { signal })
        return written ? `${written} drawings went on` : undefined
      },
    },
  ]
}
