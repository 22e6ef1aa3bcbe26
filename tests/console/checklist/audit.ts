import type { CoverageRow } from './row.ts'

const AUDIT = 'tests/console/browser/audit.test.ts › the audit › '

/** What administrators did: nothing that the specification asks for. */
export const rows: CoverageRow[] = [
  {
    spec: 'beyond',
    line: 'Root sees who changed what, with what was before',
    test: `${AUDIT}shows root who changed what, with filters and the previous values`,
  },
  {
    spec: 'beyond',
    line: 'The audit pages by what was seen last',
    test: `${AUDIT}loads older rows on a click, each once`,
  },
  {
    spec: 'beyond',
    line: 'The audit is for root alone',
    test: `${AUDIT}is neither offered nor shown to administrators`,
  },
  {
    spec: 'beyond',
    line: 'An administrator gives the key again before it goes elsewhere',
    test: 'tests/console/browser/audit.test.ts › the drawer of a channel › asks an administrator for the key again before the address changes',
  },
]
