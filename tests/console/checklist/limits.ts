import type { CoverageRow } from './row.ts'

const LIMITS = 'tests/console/browser/limits.test.ts › limits › '

/** Limits of requests, tokens, quota and concurrency: nothing that the specification asks for. */
export const rows: CoverageRow[] = [
  {
    spec: 'beyond',
    line: 'Administrators see all limits with what is used of them',
    test: `${LIMITS}are shown to an administrator with their usage`,
  },
  {
    spec: 'beyond',
    line: 'Administrators set, change and remove limits',
    test: `${LIMITS}are set, changed and removed`,
  },
  {
    spec: 'beyond',
    line: 'Users see how much of their limits their keys have used',
    test: `${LIMITS}of their own keys are shown to users as bars in the list`,
  },
]
