import type { LiveChannel } from '../../../../core/channels/directory.ts'
import {
  type DrawingStep,
  failedStep,
  type Heard,
  nextStep,
  REPORTED_COLUMNS,
  unnamedStep,
} from '../../../../core/tasks/drawing-progress.ts'
import type { UnfinishedTask } from '../../../../core/tasks/lifecycle.ts'
import type { Job } from '../../../jobs/job.ts'
import { type Json, objectsOf, wordOf } from '../../json.ts'
import { withoutSecrets } from '../../providers/failure.ts'
import { hasServer } from '../attempts.ts'
import { byKey, grouped } from '../by-key.ts'
import { withoutParams } from '../exchange.ts'
import { Turns } from '../turns.ts'
import { askProxy, type DrawingParts } from './exchange.ts'

const EVERY_MS = 15_000
const TIMEOUT_MS = 15_000
/** Ids in one question. */
const CHUNK = 200
const PAGE = 2000
const CHANNELS_AT_ONCE = 8
/** Who has not asked for so long has not listened. */
const AWAY_MS = 300_000
const channelGone = (id: number) => `获取渠道信息失败，请联系管理员，渠道ID：${id}`

/**
 * Asks upstreams about every drawing that is not finished, and writes what they say; whoever fails is paid back. Two
 * processes may do it at the same time: a row is ended by one of them. `now` answers unix milliseconds.
 */
export function drawingPoll({
  now = Date.now,
  ...parts
}: Pick<DrawingParts, 'directory' | 'links' | 'logger'> & {
  toolkit: Pick<DrawingParts['toolkit'], 'taskLifecycle'>
  now?: () => number
}): Job {
  const { taskLifecycle } = parts.toolkit
  let watchedSince = 0
  let lastRound = 0

  /** One row that cannot be written must not keep all others waiting. Answers whether it was. */
  async function write({ id }: UnfinishedTask, step: DrawingStep | undefined): Promise<boolean> {
    if (!step) return false
    try {
      return await taskLifecycle.advance('midjourneys', id, step.changes, step.end)
    } catch (err) {
      parts.logger.error({ err, drawing: id }, 'what became of a drawing could not be written')
      return false
    }
  }

  async function writeAll(
    tasks: readonly UnfinishedTask[],
    step: (task: UnfinishedTask) => DrawingStep | undefined,
  ): Promise<number> {
    let written = 0
    for (const task of tasks) if (await write(task, step(task))) written += 1
    return written
  }

  async function askFor(channel: LiveChannel | undefined, tasks: UnfinishedTask[], signal: AbortSignal) {
    let written = 0
    for (let start = 0; start < tasks.length && !signal.aborted; start += CHUNK) {
      const chunk = tasks.slice(start, start + CHUNK)
      const reports = channel && hasServer(channel) ? await reportsOf(channel, chunk, signal) : undefined
      // Whether nobody answered or we hung up looks the same.
      if (signal.aborted) break
      written += await writeAll(chunk, (task) => {
        const heard: Heard = reports && { report: reports.get(task.upstreamId) }
        return nextStep(task, heard, { now: now(), watchedSince })
      })
    }
    return written
  }

  /** What a channel's proxy says of these drawings, by their ids; undefined when it does not say. Others are nobody's. */
  async function reportsOf(
    channel: LiveChannel,
    tasks: readonly UnfinishedTask[],
    abort: AbortSignal,
  ): Promise<Map<string, Json> | undefined> {
    const ids = [...new Set(tasks.map(({ upstreamId }) => upstreamId))]
    try {
      const question = { path: '/mj/task/list-by-condition', body: { ids } }
      const reply = await askProxy(parts, withoutParams(channel), question, { timeoutMs: TIMEOUT_MS, abort })
      const reports = reply.status === 200 ? readReports(reply.bytes, channel) : undefined
      if (!reports)
        parts.logger.warn({ channel: channel.id, status: reply.status }, 'an upstream tells nothing of its drawings')
      return reports
    } catch (err) {
      if (!abort.aborted)
        parts.logger.warn({ channel: channel.id, err }, 'an upstream was not reached for its drawings')
      return undefined
    }
  }

  async function page(tasks: readonly UnfinishedTask[], signal: AbortSignal): Promise<number> {
    const unnamed = tasks.filter(({ upstreamId }) => upstreamId === '')
    let written = await writeAll(unnamed, () => unnamedStep(now()))
    const groups = grouped(
      tasks.filter(({ upstreamId }) => upstreamId !== ''),
      ({ channelId }) => channelId,
    )
    const unknown = [...groups.keys()].filter((id) => !parts.directory.find(id))
    const deleted = await taskLifecycle.deletedChannels(unknown)
    const turns = new Turns(CHANNELS_AT_ONCE)
    const work = [...groups].map(([id, group]) =>
      turns.take(async () => {
        if (deleted.has(id)) {
          written += await writeAll(group, () => failedStep(channelGone(id), now()))
          return
        }
        const channel = parts.directory.find(id)
        if (!channel) written += await askFor(undefined, group, signal)
        else for (const part of byKey(channel, group)) written += await askFor(part.channel, part.tasks, signal)
      }),
    )
    await Promise.all(work)
    return written
  }

  return {
    name: 'drawing-poll',
    everyMs: EVERY_MS,
    async run(signal) {
      // Another process may have led meanwhile, or nobody.
      if (now() - lastRound > AWAY_MS) watchedSince = now()
      lastRound = now()
      let asked = 0
      let written = 0
      for (let after = 0; !signal.aborted; ) {
        const tasks = await taskLifecycle.unfinished('midjourneys', { after, limit: PAGE, columns: REPORTED_COLUMNS })
        asked += tasks.length
        written += await page(tasks, signal)
        if (tasks.length < PAGE) break
        after = tasks.at(-1)?.id ?? 0
      }
      return asked ? `${asked} asked for, ${written} written` : undefined
    },
  }
}

/** The tasks in an answer, by their ids; undefined for what is no list. Of one that is named twice the first counts. */
function readReports(bytes: Buffer, channel: LiveChannel): Map<string, Json> | undefined {
  let answer: unknown
  try {
    answer = JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
  if (!Array.isArray(answer)) return undefined
  const reports = new Map<string, Json>()
  for (const task of objectsOf(answer)) {
    const { failReason } = task
    const cleaned = typeof failReason === 'string' ? { ...task, failReason: withoutSecrets(failReason, channel) } : task
    const id = wordOf(task.id)
    if (!reports.has(id)) reports.set(id, cleaned)
  }
  return reports
}
