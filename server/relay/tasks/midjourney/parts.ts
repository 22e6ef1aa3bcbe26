import type { ChannelDirectory } from '../../../../core/channels/directory.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import type { Links } from '../../links.ts'
import type { Submissions } from '../submissions.ts'

/** What the drawing API is made of. */
export interface DrawingParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: Links
  submissions: Submissions
}
