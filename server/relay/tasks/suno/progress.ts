import type { TaskEnd, UnfinishedTask } from '../../../../core/tasks/lifecycle.ts'
import type { Heard, TaskStep } from '../poll.ts'
import type { MusicReport } from './answers.ts'

/** A task that no answer has named for so long is given up… */
export const SILENT_MAX_S = 3600
/** …and every task after this time, however alive it looks. */
export const AGE_MAX_S = 24 * 3600
/** How often it is written down that an answer named a task of which nothing else has changed. */
const SEEN_EVERY_S = 300

const STATUSES = new Set(['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'])
const SILENT = '上游任务超时（超过1小时没有消息）'
const OLD = '上游任务超时（超过24小时）'
const UNNAMED = '上游没有给出任务ID'
/** Of a channel that is deleted. */
export const noChannel = (id: number): string => `获取渠道信息失败，请联系管理员，渠道ID：${id}`

/** The columns that `step` compares. */
export const COMPARED = [
  'status',
  'fail_reason',
  'progress',
  'start_time',
  'finish_time',
  'updated_at',
  'data',
] as const

/**
 * What a round found out about a task; undefined: nothing to write. `watchedSince`: since when this process asks for tasks,
 * because before that nobody listened. All times in unix seconds.
 */
export function step(
  task: Pick<UnfinishedTask, 'submitTime' | 'stored'>,
  heard: Heard<MusicReport>,
  { now, watchedSince }: { now: number; watchedSince: number },
): TaskStep | undefined {
  const report = heard?.report
  if (report) {
    const end = endOf(report)
    const changes = changesOf(report, task.stored)
    if (end)
      return { changes: { ...changes, ...endingOf(end, report, { stored: task.stored, now }), updated_at: now }, end }
    if (now - task.submitTime >= AGE_MAX_S) return failed(OLD, now)
    const seen = now - Number(task.stored.updated_at) >= SEEN_EVERY_S
    return seen || Object.keys(changes).length ? { changes: { ...changes, updated_at: now } } : undefined
  }
  if (now - task.submitTime >= AGE_MAX_S) return failed(OLD, now)
  // An hour must have been waited here, or a gateway that was away would ask nobody.
  const lastHeard = Math.max(Number(task.stored.updated_at), task.submitTime, watchedSince)
  return now - lastHeard >= SILENT_MAX_S ? failed(SILENT, now) : undefined
}

/** A task that can never be asked for. */
export const unnamed = (now: number): TaskStep => failed(UNNAMED, now)
/** A task whose channel nobody has any more. */
export const withoutChannel = (channelId: number, now: number): TaskStep => failed(noChannel(channelId), now)

function failed(fail_reason: string, now: number): TaskStep {
  return { changes: { status: 'FAILURE', fail_reason, finish_time: now, updated_at: now }, end: 'failure' }
}

/** A reason to fail is a failure, whatever the status says; a success has none. */
function endOf({ status, failReason }: MusicReport): TaskEnd | undefined {
  const said = status?.toUpperCase()
  if (said === 'SUCCESS') return 'success'
  return said === 'FAILURE' || failReason !== undefined ? 'failure' : undefined
}

function endingOf(
  end: TaskEnd,
  { finishTime }: MusicReport,
  { stored, now }: { stored: UnfinishedTask['stored']; now: number },
): Record<string, string | number> {
  const finish_time = finishTime ?? (Number(stored.finish_time) || now)
  return { status: end === 'success' ? 'SUCCESS' : 'FAILURE', finish_time }
}

/**
 * What a report says otherwise than the row. What it leaves out stays. A status may go back, since an upstream may begin
 * again; one that nobody knows is UNKNOWN.
 */
function changesOf(report: MusicReport, stored: UnfinishedTask['stored']): Record<string, string | number> {
  const { status, failReason, progress, startTime, finishTime, data } = report
  const said: Record<string, string | number | undefined> = {
    status: status === undefined ? undefined : STATUSES.has(status.toUpperCase()) ? status.toUpperCase() : 'UNKNOWN',
    fail_reason: failReason,
    progress: progress !== undefined && /^\d{1,3}%$/.test(progress) ? progress : undefined,
    start_time: startTime,
    finish_time: finishTime,
    data,
  }
  const changed: Record<string, string | number> = {}
  for (const [column, value] of Object.entries(said)) {
    if (value !== undefined && value !== stored[column]) changed[column] = value
  }
  return changed
}
