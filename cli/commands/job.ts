import { JOB_COLUMNS } from '../columns/job.ts'
import { listVerb, noun } from '../run/verbs.ts'

export const job = noun('job', [
  listVerb({
    name: 'list',
    description: 'watching.listJobs',
    examples: ['tollgate job list'],
    columns: JOB_COLUMNS,
    rows: ({ toolkit, actor }) => toolkit.jobs.list(actor),
    empty: ({ t }) => t('watching.noJobsYet'),
  }),
])
