import { JOB_COLUMNS } from '../columns/job.ts'
import { listVerb, noun } from '../run/verbs.ts'

export const job = noun('job', [
  listVerb({
    name: 'list',
    description: 'List jobs: interval, last run, outcome and leading process',
    example: 'tollgate job list',
    columns: JOB_COLUMNS,
    rows: ({ toolkit, actor }) => toolkit.jobs.list(actor),
    empty: ({ say }) => say`No jobs yet: a running gateway registers them. Start one: tollgate serve`,
  }),
])
