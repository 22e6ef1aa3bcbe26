import type { Logger } from 'pino'
import { withStoredKey } from '../../../core/channels/keys/key-ring.ts'
import type { ChannelDirectory, LiveChannel } from '../../../core/channels/routing/directory.ts'
import { errorCode, errorMessage } from '../../../core/error-parts.ts'
import type { TaskEnd, TaskTableName, UnfinishedTask } from '../../../core/tasks/lifecycle.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Job } from '../../jobs/job.ts'
import { hasServer } from './attempts.ts'
import { PollSchedule, type TaskAccount } from './poll-schedule.ts'

const EVERY_MS = 15_000

/** The changes to a task after a poll, and its end, if it has ended. */
export interface TaskStep {
  changes: Readonly<Record<string, string | number>>
  end?: TaskEnd | undefined
}

/** A valid reply to a poll about a task. `report` is undefined if the reply does not contain the task. */
export type PollReply<Report> = { report: Report | undefined } | undefined

/** The reason why a reply contained no reports. */
interface PollFailure {
  failure: string
}

export interface TaskPollParts {
  readonly toolkit: Pick<LocalToolkit, 'taskLifecycle'>
  readonly directory: Pick<ChannelDirectory, 'find'>
  readonly logger: Logger
  /** Returns the time in unix milliseconds. */
  readonly now?: () => number
}

/** Describes how to poll one kind of task. Times are unix milliseconds. */
interface PolledTasks<Report> {
  name: string
  table: TaskTableName
  /** The platform of the tasks, if the table has tasks of several platforms. */
  platform?: string
  /** The columns that `step` needs. */
  columns: readonly string[]
  /** Maximum number of ids per request. */
  chunk: number
  /** Requests reports of tasks from a channel. An exception means that the upstream did not reply. */
  ask(
    channel: LiveChannel,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Report> | PollFailure>
  /**
   * Returns the changes to a task after a poll, if any. `reply` is undefined without a valid reply. Before
   * `watchedSince`, tasks may not have been polled.
   */
  step(
    task: UnfinishedTask,
    reply: PollReply<Report>,
    times: { now: number; watchedSince: number },
  ): TaskStep | undefined
  /** Returns the step for a task without an upstream's id, which cannot be polled. */
  unnamed(now: number): TaskStep
  /** Returns the step for a task whose channel is deleted. */
  channelGone(channelId: number, now: number): TaskStep
}

/**
 * Creates the job that polls all unfinished tasks, stores the results and refunds failed tasks. If several processes
 * poll, only one ends a task.
 */
export function taskPoll<Report>(
  kind: PolledTasks<Report>,
  { toolkit: { taskLifecycle }, directory, logger, now = Date.now }: TaskPollParts,
): Job {
  const { table, platform, columns, chunk } = kind
  const schedule = new PollSchedule(now, logger)
  /** Ids of the last polled tasks by account, for accounts whose tasks did not fit into the last run. */
  const lastPolledIds = new Map<string, number>()

  /** Stores a task's step. Returns whether the task has ended. Only logs errors, so that other tasks continue. */
  async function storeStep({ id }: UnfinishedTask, computeStep: () => TaskStep | undefined): Promise<boolean> {
    try {
      const step = computeStep()
      return step !== undefined && (await taskLifecycle.advance(table, id, step.changes, step.end)) && !!step.end
    } catch (err) {
      logger.error({ err, table, task: id }, 'the outcome of a task could not be stored')
      return false
    }
  }

  /** Returns the upstream's reports of tasks, or undefined without a valid reply. */
  async function reportsOf(
    channel: LiveChannel | undefined,
    tasks: readonly UnfinishedTask[],
    account: TaskAccount,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Report> | undefined> {
    let reason = 'the channel has no address of a task server'
    if (channel && hasServer(channel)) {
      const ids = new Set(tasks.map(({ upstreamId }) => upstreamId).filter(Boolean))
      try {
        const reports = ids.size ? await kind.ask(channel, [...ids], signal) : new Map<string, Report>()
        if (!('failure' in reports)) {
          if (ids.size) schedule.recordSuccess(account)
          return reports
        }
        reason = reports.failure
      } catch (error) {
        reason = reasonOf(error)
      }
    }
    if (!signal.aborted) schedule.recordFailure(account, reason)
    return undefined
  }

  /** Polls the tasks of an account page by page. After a missing reply, only checks the other tasks for timeouts. */
  async function pollAccount(account: TaskAccount, isDeleted: boolean, signal: AbortSignal) {
    const { channelId, keyDigest } = account
    const accountKey = `${channelId} ${keyDigest}`
    const channelWithAllKeys = directory.find(channelId)
    const channel = channelWithAllKeys && withStoredKey(channelWithAllKeys, keyDigest)
    let after = lastPolledIds.get(accountKey) ?? 0
    let isSilent = isDeleted
    let [polled, ended] = [0, 0]
    lastPolledIds.delete(accountKey)
    while (!signal.aborted) {
      const tasks = await taskLifecycle.unfinished(table, { of: account, platform, after, limit: chunk, columns })
      const reports = isSilent || tasks.length === 0 ? undefined : await reportsOf(channel, tasks, account, signal)
      // An abort would look like a missing reply.
      if (signal.aborted) break
      isSilent ||= reports === undefined
      polled += tasks.length
      for (const task of tasks) {
        const step = () => {
          if (isDeleted) return kind.channelGone(channelId, now())
          if (task.upstreamId === '') return kind.unnamed(now())
          const reply = reports && { report: reports.get(task.upstreamId) }
          return kind.step(task, reply, { now: now(), watchedSince: schedule.polledSince })
        }
        if (await storeStep(task, step)) ended += 1
      }
      if (tasks.length < chunk) break
      after = tasks.at(-1)?.id ?? 0
      // After a missing reply, the other pages send no requests, so they need not wait for the next round.
      if (isSilent || !schedule.isRoundOver) continue
      lastPolledIds.set(accountKey, after)
      break
    }
    return { polled, ended }
  }

  return {
    name: kind.name,
    everyMs: EVERY_MS,
    async run(signal) {
      const accounts = await taskLifecycle.unfinishedAccounts(table, platform)
      const unknownChannels = accounts.map(({ channelId }) => channelId).filter((id) => !directory.find(id))
      // A missing channel that is not deleted may be too new for this process, or may have an unknown type.
      const deleted = await taskLifecycle.deletedChannels([...new Set(unknownChannels)])
      let [polled, ended] = [0, 0]
      await schedule.runRound(accounts, async (account) => {
        try {
          const result = await pollAccount(account, deleted.has(account.channelId), signal)
          polled += result.polled
          ended += result.ended
        } catch (err) {
          logger.error({ err, table, channel: account.channelId }, 'the tasks of a channel could not be polled')
        }
      })
      return polled ? `${polled} polled, ${ended} ended` : undefined
    },
  }
}

/** Returns a short reason without a stack, because many upstreams may fail. */
function reasonOf(error: unknown): string {
  return errorCode(error) || errorMessage(error)
}
