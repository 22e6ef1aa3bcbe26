import type { Toolkit } from '../../core/toolkit.ts'

/** What the routes of every resource are given. */
export interface ApiParts {
  toolkit: Toolkit
  /** Unix seconds. */
  startedAt: number
}
