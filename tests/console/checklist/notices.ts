import type { CoverageRow } from './row.ts'

const NOTICES = 'tests/console/browser/notices.test.ts › notices › '

/** Targets of notices: nothing that the specification asks for. */
export const rows: CoverageRow[] = [
  {
    spec: 'beyond',
    line: 'Root sets up, tests and removes targets of notices',
    test: `${NOTICES}of the gateway are created, tested and removed by root`,
  },
  {
    spec: 'beyond',
    line: 'Administrators see and switch the targets of the gateway',
    test: `${NOTICES}of the gateway are toggled, but not removed, by other administrators`,
  },
  {
    spec: 'beyond',
    line: 'Users set up targets for events of their account',
    test: `${NOTICES}of an account are created by its user`,
  },
  {
    spec: 'beyond',
    line: 'Users set thresholds of their balance, keys and teams, administrators those of users',
    test: `${NOTICES}have thresholds that users set for their balance, keys and teams, and administrators for users`,
  },
]
