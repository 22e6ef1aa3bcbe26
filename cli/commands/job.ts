import type { JobRecord } from '../../core/jobs/jobs.ts'
import type { Column } from '../output/column.ts'
import { listVerb, noun } from '../run/verbs.ts'

export const JOB_COLUMNS: readonly Column<JobRecord>[] = [
  { name: 'name', value: ({ name }) => name },
  {
    name: 'every',
    value: ({ every }) => (every > 0 ? everyText(every) : '-'),
    sort: ({ every }) => every,
    align: 'right',
  },
  { name: 'started', value: ({ started_at }, { time }) => time(started_at) },
  {
    name: 'finished',
    value: ({ finished_at, running }, { time, t }) => (running ? t('label.running') : time(finished_at)),
  },
  {
    name: 'outcome',
    value: ({ outcome }) => outcome || '-',
    tone: ({ outcome }) => (outcome.startsWith('failed') ? 'bad' : undefined),
    cut: true,
  },
  { name: 'leader', value: ({ leader }) => leader || '-', tone: () => 'faint' },
]

function everyText(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

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
