import type { CoverageRow } from './row.ts'

const ADMIN = 'tests/console/browser/drawings.test.ts › the drawings of an administrator › '
const USER = 'tests/console/browser/drawings.test.ts › the drawings of a user › '

const looks = `${ADMIN}include all users, with the label and color of each status`
const filters = `${ADMIN}are filtered by channel, id and time, which are in the URL`
const own = `${USER}are their own only, with picture, prompts and the reason of a failure`

/** Drawings: what the specification says of them, and where that is shown. */
export const rows: CoverageRow[] = [
  { spec: 'B §2', line: '/midjourney: a filter table with detail popups', test: own },
  {
    spec: 'B §3',
    line: 'Submission, duration, channel, action, id, result, status, progress, image, both prompts, failure',
    test: looks,
  },
  { spec: 'B §4', line: 'Submit code: 1 已提交, 21 等待中, 22 重复提交, 0 未提交', test: looks },
  {
    spec: 'B §4',
    line: 'Status: 成功, 未启动, 队列中, 执行中, 失败, 窗口等待 (MODAL), 排队中, 未知; empty is 正在提交',
    test: looks,
  },
  { spec: 'B §4', line: 'All sixteen actions, IMAGINE 绘图 to SWAP_FACE 换脸', test: looks },
  { spec: 'B §6', line: 'The channel filter and column, and the records of all, are for administrators', test: own },
  { spec: 'B §6', line: 'Ordinary users use the self variant', test: own },
  {
    spec: 'B §7',
    line: 'GET /api/mj/ and /api/mj/self/ (by their pages with totals): channel_id, mj_id, both timestamps',
    test: filters,
  },
  { spec: 'B §9', line: 'Duration over 60 s is red', test: looks },
  {
    spec: 'B §9',
    line: 'Default time range: last 30 days to one hour ahead',
    test: 'tests/console/components/task-list/time-filter.test.ts › without a chosen time › a month is thirty days, up to an hour ahead',
  },
  { spec: 'A §3', line: 'mj_notify_enabled: administrators are told while it is off', test: looks },
  {
    spec: 'beyond',
    line: 'The list is live while something is unfinished',
    test: `${USER}update while the page is open`,
  },
  {
    spec: 'beyond',
    line: 'Pictures come by https or through the gateway alone',
    test: 'tests/console/pages/drawings/picture.test.ts › a picture is not shown if it is an address of ours that may act',
  },
]
