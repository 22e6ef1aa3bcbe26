import type { CoverageRow } from './row.ts'

const ADMIN = 'tests/console/browser/tasks.test.ts › the tasks of an administrator › '
const USER = 'tests/console/browser/tasks.test.ts › the tasks of a user › '

const looks = `${ADMIN}include all users since midnight, with the label of each status`
const own = `${USER}are their own only; an id shows the whole record and its audio`

/** Async tasks: what the specification says of them, and where that is shown. */
export const rows: CoverageRow[] = [
  { spec: 'B §2', line: '/task: a filter table with detail popups', test: own },
  { spec: 'B §3', line: 'Submission, end, progress, channel, platform, action, id, status, failure', test: looks },
  { spec: 'B §4', line: 'Status: 成功, 未启动, 队列中, 执行中, 失败, 排队中, 未知; empty is 正在提交', test: looks },
  { spec: 'B §4', line: 'Actions MUSIC 生成音乐 and LYRICS 生成歌词; platform suno', test: looks },
  { spec: 'B §6', line: 'The channel filter and column, and the records of all, are for administrators', test: own },
  {
    spec: 'B §7',
    line: 'GET /api/task/ and /api/task/self (by their pages with totals): channel_id, task_id, both timestamps',
    test: looks,
  },
  { spec: 'B §9', line: 'Duration over 60 s is red', test: looks },
  {
    spec: 'B §9',
    line: 'Default start: today at midnight',
    test: 'tests/console/components/task-list/time-filter.test.ts › without a chosen time › today is since midnight, up to an hour ahead',
  },
  { spec: 'beyond', line: 'Songs are played in the details', test: own },
  {
    spec: 'beyond',
    line: 'An empty list says how to submit',
    test: `${USER}are submitted by programs: an empty list shows how, on a phone too`,
  },
]
