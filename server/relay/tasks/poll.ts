import type { Logger } from 'pino'
import type { ChannelDirectory, LiveChannel } from '../../../core/channels/directory.ts'
import { sameKey } from '../../../core/channels/key-ring.ts'
import type { TaskEnd, TaskTable, UnfinishedTask } from '../../../core/tasks/lifecycle.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import type { Job } from '../../jobs/job.ts'
import { hasServer } from './attempts.ts'
import { Listening, type TaskAccount } from './listening.ts'

const EVERY_MS = 15_000

/** What is written of a task after a round. */
export interface TaskStep {
  changes: Readonly<Record<string, string | number>>
  end?: TaskEnd | undefined
}

/** How a task's upstream answered in a round. `undefined`: not at all, or with something that is no answer. */
export type Heard<Report> = { report: Report | undefined } | undefined

/** Why an upstream told nothing of its tasks, though it answered. */
export interface NotTold {
  silent: string
}

/** What sets one kind of task apart from another when it is asked for. Times are unix milliseconds. */
export interface PolledTasks<Report> {
  /** The job. */
  name: string
  table: TaskTable
  /** Where the table has tasks of others besides. */
  platform?: string
  /** What `step` compares. */
  columns: readonly string[]
  /** Ids in one question. */
  chunk: number
  /** Asks a channel with its key. What it throws is no answer. */
  ask(channel: LiveChannel, ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Report> | NotTold>
  /** What a round found out about a task; undefined: nothing to write. `watchedSince`: nobody listened before. */
  step(task: UnfinishedTask, heard: Heard<Report>, times: { now: number; watchedSince: number }): TaskStep | undefined
  /** A task without an id, for which nobody can be asked. */
  unnamed(now: number): TaskStep
  /** A task whose channel is deleted. */
  channelGone(channelId: number, now: number): TaskStep
}

/**
 * Asks upstreams about every task that is not finished, and writes what they say; whoever fails is paid back. Two processes may do
 * it at the same time: a row is ended by one of them.
 */
export function taskPoll<Report>(
  kind: PolledTasks<Report>,
  {
    toolkit: { taskLifecycle },
    directory,
    logger,
    now = Date.now,
  }: {
    toolkit: Pick<LocalToolkit, 'taskLifecycle'>
    directory: Pick<ChannelDirectory, 'find'>
    logger: Logger
    now?: () => number
  },
): Job {
  const { table, platform, chunk } = kind
  const columns = [...kind.columns, 'request_id']
  const listening = new Listening(now, logger)
  /** Where an account that has more tasks than a round asks for goes on. */
  const left = new Map<string, number>()

  /** Other gateways kept the price of what they had not charged: it is not given back for what was imported. */
  function unnamed({ stored }: UnfinishedTask): TaskStep {
    const step = kind.unnamed(now())
    return stored.request_id === '' ? { ...step, changes: { ...step.changes, quota: 0 } } : step
  }

  /** Answers whether the task has ended. One of which nothing can be written must not keep all others waiting. */
  async function write({ id }: UnfinishedTask, found: () => TaskStep | undefined): Promise<boolean> {
    try {
      const step = found()
      return step !== undefined && (await taskLifecycle.advance(table, id, step.changes, step.end)) && !!step.end
    } catch (err) {
      logger.error({ err, table, task: id }, 'what became of a task could not be written')
      return false
    }
  }

  /** What an upstream says of these tasks; undefined when it does not say. */
  async function reportsOf(
    channel: LiveChannel | undefined,
    tasks: readonly UnfinishedTask[],
    account: TaskAccount,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Report> | undefined> {
    let reason = 'the channel has no server that could be asked'
    if (channel && hasServer(channel)) {
      const ids = new Set(tasks.map(({ upstreamId }) => upstreamId).filter(Boolean))
      try {
        const told = ids.size ? await kind.ask(channel, [...ids], signal) : new Map<string, Report>()
        if (!('silent' in told)) {
          if (ids.size) listening.heard(account)
          return told
        }
        reason = told.silent
      } catch (error) {
        reason = reasonOf(error)
      }
    }
    if (!signal.aborted) listening.silent(account, reason)
    return undefined
  }

  /** Asks for an account's tasks, one page after the other, until the first that it does not answer. */
  async function ask(account: TaskAccount, isDeleted: boolean, signal: AbortSignal) {
    const { channelId, keyDigest } = account
    const place = `${channelId} ${keyDigest}`
    const found = directory.find(channelId)
    const channel = found && sameKey(found, keyDigest)
    let after = left.get(place) ?? 0
    let isSilent = isDeleted
    let [asked, ended] = [0, 0]
    left.delete(place)
    while (!signal.aborted) {
      const tasks = await taskLifecycle.unfinished(table, { of: account, platform, after, limit: chunk, columns })
      const reports = isSilent || tasks.length === 0 ? undefined : await reportsOf(channel, tasks, account, signal)
      // Whether nobody answered or we hung up looks the same.
      if (signal.aborted) break
      isSilent ||= reports === undefined
      asked += tasks.length
      for (const task of tasks) {
        const step = () => {
          if (isDeleted) return kind.channelGone(channelId, now())
          if (task.upstreamId === '') return unnamed(task)
          const heard = reports && { report: reports.get(task.upstreamId) }
          return kind.step(task, heard, { now: now(), watchedSince: listening.since })
        }
        if (await write(task, step)) ended += 1
      }
      if (tasks.length < chunk) break
      after = tasks.at(-1)?.id ?? 0
      // Of a silent one the rest is only looked through for those that have waited too long.
      if (isSilent || !listening.isOver) continue
      left.set(place, after)
      break
    }
    return { asked, ended }
  }

  return {
    name: kind.name,
    everyMs: EVERY_MS,
    async run(signal) {
      const accounts = await taskLifecycle.unfinishedAccounts(table, platform)
      const unknown = accounts.map(({ channelId }) => channelId).filter((id) => !directory.find(id))
      // One that is not deleted is so new that this process has not heard of it, or of a kind that nobody knows.
      const deleted = await taskLifecycle.deletedChannels([...new Set(unknown)])
      let [asked, ended] = [0, 0]
      await listening.round(accounts, async (account) => {
        try {
          const done = await ask(account, deleted.has(account.channelId), signal)
          asked += done.asked
          ended += done.ended
        } catch (err) {
          // Others are not to wait for the cause of it.
          logger.error({ err, table, channel: account.channelId }, 'the tasks of a channel could not be asked for')
        }
      })
      return asked ? `${asked} asked for, ${ended} ended` : undefined
    },
  }
}

/** In a word, without a stack: it is written each time that an upstream falls silent. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return String(code ?? message ?? error)
}
