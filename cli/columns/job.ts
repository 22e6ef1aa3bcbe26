import type { JobRecord } from '../../core/jobs/jobs.ts'
import type { Column } from '../output/column.ts'

export const JOB_COLUMNS: readonly Column<JobRecord>[] = [
  { title: 'name', value: ({ name }) => name },
  {
    title: 'every',
    value: ({ every }) => (every > 0 ? everyText(every) : '-'),
    sort: ({ every }) => every,
    align: 'right',
  },
  { title: 'started', value: ({ started_at }, { time }) => time(started_at) },
  {
    title: 'finished',
    value: ({ finished_at, running }, { time, text }) => (running ? text('running') : time(finished_at)),
  },
  {
    title: 'outcome',
    value: ({ outcome }) => outcome || '-',
    tone: ({ outcome }) => (outcome.startsWith('failed') ? 'bad' : undefined),
    cut: true,
  },
  { title: 'leader', value: ({ leader }) => leader || '-', tone: () => 'faint' },
]

function everyText(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}
