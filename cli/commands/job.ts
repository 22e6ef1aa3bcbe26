import { JOB_COLUMNS } from '../columns/job.ts'
import { listVerb, noun } from '../run/verbs.ts'

export const job = noun('job', [
  listVerb({
    name: 'list',
    description: 'List the regular work: how often, when it ran last, how that ended, and which process leads',
    example: 'tollgate job list',
    columns: JOB_COLUMNS,
    rows: ({ toolkit, actor }) => toolkit.jobs.list(actor),
    empty: ({ say }) => say`No jobs yet: a running gateway brings them. Start one with: tollgate serve`,
  }),
])
