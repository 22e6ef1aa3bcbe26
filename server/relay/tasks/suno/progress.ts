import type { TaskEnd, UnfinishedTask } from '../../../../core/tasks/lifecycle.ts'
import type { PollReply, TaskStep } from '../poll.ts'
import type { MusicReport } from './answers.ts'

/** Time without reports after which a task fails. */
const SILENT_MAX_S = 3600
/** Age at which an unfinished task fails, even with reports. */
const AGE_MAX_S = 24 * 3600
/** Interval between updates of `updated_at` while the reports do not change. */
const UPDATE_EVERY_S = 300

const STATUSES = new Set(['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE'])
const SILENT_TEXT = '上游任务超时（超过1小时没有消息）'
const TOO_OLD_TEXT = '上游任务超时（超过24小时）'
const NO_ID_TEXT = '上游没有给出任务ID'
/** Returns the failure text for a deleted channel. */
const noChannel = (id: number): string => `获取渠道信息失败，请联系管理员，渠道ID：${id}`

export const STEP_COLUMNS = [
  'status',
  'fail_reason',
  'progress',
  'start_time',
  'finish_time',
  'updated_at',
  'data',
] as const

/**
 * Returns the changes to a task after one poll, or undefined if nothing changes. All times are unix seconds. Before
 * `watchedSince`, tasks may not have been polled.
 */
export function step(
  task: Pick<UnfinishedTask, 'submitTime' | 'stored'>,
  reply: PollReply<MusicReport>,
  { now, watchedSince }: { now: number; watchedSince: number },
): TaskStep | undefined {
  const report = reply?.report
  if (report) {
    const end = endOf(report)
    const changes = changesOf(report, task.stored)
    if (end)
      return { changes: { ...changes, ...endColumns(end, report, { stored: task.stored, now }), updated_at: now }, end }
    if (now - task.submitTime >= AGE_MAX_S) return failed(TOO_OLD_TEXT, now)
    const isUpdateDue = now - Number(task.stored.updated_at) >= UPDATE_EVERY_S
    return isUpdateDue || Object.keys(changes).length ? { changes: { ...changes, updated_at: now } } : undefined
  }
  if (now - task.submitTime >= AGE_MAX_S) return failed(TOO_OLD_TEXT, now)
  // The time before `watchedSince` does not count, because a gateway that is down gets no reports.
  const lastReportAt = Math.max(Number(task.stored.updated_at), task.submitTime, watchedSince)
  return now - lastReportAt >= SILENT_MAX_S ? failed(SILENT_TEXT, now) : undefined
}

/** Returns the step for a task without an upstream's id, which cannot be polled. */
export const stepWithoutId = (now: number): TaskStep => failed(NO_ID_TEXT, now)
/** Returns the step for a task whose channel is deleted. */
export const withoutChannel = (channelId: number, now: number): TaskStep => failed(noChannel(channelId), now)

function failed(fail_reason: string, now: number): TaskStep {
  return { changes: { status: 'FAILURE', fail_reason, finish_time: now, updated_at: now }, end: 'failure' }
}

/** Returns a task's end, if any. A failure reason means failure, unless the status is success. */
function endOf({ status, failReason }: MusicReport): TaskEnd | undefined {
  const upperStatus = status?.toUpperCase()
  if (upperStatus === 'SUCCESS') return 'success'
  return upperStatus === 'FAILURE' || failReason !== undefined ? 'failure' : undefined
}

function endColumns(
  end: TaskEnd,
  { finishTime }: MusicReport,
  { stored, now }: { stored: UnfinishedTask['stored']; now: number },
): Record<string, string | number> {
  const finish_time = finishTime ?? (Number(stored.finish_time) || now)
  return { status: end === 'success' ? 'SUCCESS' : 'FAILURE', finish_time }
}

/**
 * Returns the columns that a report changes. A missing field changes nothing. An unknown status becomes UNKNOWN. A
 * status may go back, because an upstream may restart a task.
 */
function changesOf(report: MusicReport, stored: UnfinishedTask['stored']): Record<string, string | number> {
  const { status, failReason, progress, startTime, finishTime, data } = report
  const reported: Record<string, string | number | undefined> = {
    status: status === undefined ? undefined : STATUSES.has(status.toUpperCase()) ? status.toUpperCase() : 'UNKNOWN',
    fail_reason: failReason,
    progress: progress !== undefined && /^\d{1,3}%$/.test(progress) ? progress : undefined,
    start_time: startTime,
    finish_time: finishTime,
    data,
  }
  const changed: Record<string, string | number> = {}
  for (const [column, value] of Object.entries(reported)) {
    if (value !== undefined && value !== stored[column]) changed[column] = value
  }
  return changed
}
