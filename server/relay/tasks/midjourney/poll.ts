import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { type DrawingStep, failedStep, nextStep, REPORTED_COLUMNS } from '../../../../core/tasks/drawing-progress.ts'
import type { UnfinishedTask } from '../../../../core/tasks/lifecycle.ts'
import { type Json, objectsOf, wordOf } from '../../json.ts'
import { withoutSecrets } from '../../providers/failure.ts'
import { Turns } from '../turns.ts'
import { askProxy, hasProxy } from './exchange.ts'
import type { DrawingParts } from './parts.ts'

const TIMEOUT_MS = 15_000
/** Ids in one question. */
const CHUNK = 200
const PAGE = 2000
const CHANNELS_AT_ONCE = 8
const NEVER_SUBMITTED = '任务没有上游编号'
const channelGone = (id: number) => `获取渠道信息失败，请联系管理员，渠道ID：${id}`

type Parts = Pick<DrawingParts, 'toolkit' | 'directory' | 'links'>

/**
 * Asks upstreams once about every drawing that is not finished, and writes what they say; whoever fails is paid back. Two
 * processes may do it at the same time: a row is ended by one of them. `now` answers unix milliseconds. Answers how many rows
 * were written; throws, when all others are written, if some could not be.
 */
export async function pollDrawings(
  parts: Parts,
  { signal, now = Date.now }: { signal: AbortSignal; now?: () => number },
): Promise<number> {
  const { taskLifecycle } = parts.toolkit
  let written = 0
  const failures: unknown[] = []

  async function write(task: UnfinishedTask, step: DrawingStep | undefined): Promise<void> {
    if (!step) return
    // One row that cannot be written must not keep all others waiting.
    const wrote = await taskLifecycle.advance('midjourneys', task.id, step.changes, step.end).catch((error) => {
      failures.push(error)
    })
    if (wrote) written += 1
  }

  async function ofChannel(channelId: number, tasks: readonly UnfinishedTask[]): Promise<void> {
    const channel = parts.directory.find(channelId)
    if (!channel && (await isGone(parts, channelId))) {
      for (const task of tasks) await write(task, failedStep(channelGone(channelId), now()))
      return
    }
    for (let at = 0; at < tasks.length && !signal.aborted; at += CHUNK) {
      const chunk = tasks.slice(at, at + CHUNK)
      const reported = channel && hasProxy(channel) ? await ask(parts, channel, { chunk, signal }) : undefined
      if (signal.aborted) return
      for (const task of chunk) {
        const said = reported?.get(task.upstreamId)
        await write(task, nextStep({ ...task.stored, submitTime: task.submitTime }, said, now()))
      }
    }
  }

  for (let after = 0; !signal.aborted; ) {
    const page = await taskLifecycle.unfinished('midjourneys', { after, limit: PAGE, columns: REPORTED_COLUMNS })
    const unnamed = page.filter(({ upstreamId }) => upstreamId === '')
    for (const task of unnamed) await write(task, failedStep(NEVER_SUBMITTED, now()))
    const turns = new Turns(CHANNELS_AT_ONCE)
    const named = page.filter(({ upstreamId }) => upstreamId !== '')
    const groups = byChannel(named)
    await Promise.all([...groups].map(([channelId, tasks]) => turns.take(() => ofChannel(channelId, tasks))))
    const last = page.at(-1)
    if (!last || page.length < PAGE) break
    after = last.id
  }
  if (failures.length) throw new Error(`${failures.length} drawings could not be written`, { cause: failures[0] })
  return written
}

/** A channel that this process does not know may be of a type that it does not know, or younger than its knowledge. */
async function isGone({ toolkit: { db } }: Parts, id: number): Promise<boolean> {
  return (await db.reader('channels').where({ id }).first('id')) === undefined
}

/** What a channel's proxy says of these tasks, by their ids; undefined when it does not answer. Others' tasks are nobody's. */
async function ask(
  parts: Parts,
  channel: LiveChannel,
  { chunk, signal }: { chunk: readonly UnfinishedTask[]; signal: AbortSignal },
): Promise<Map<string, Json> | undefined> {
  const ids = [...new Set(chunk.map(({ upstreamId }) => upstreamId))]
  const question = { method: 'POST', path: '/mj/task/list-by-condition', body: JSON.stringify({ ids }) } as const
  try {
    const { status, body } = await askProxy(parts, channel, question, { timeoutMs: TIMEOUT_MS, signal })
    if (status !== 200) return undefined
    const reported = new Map<string, Json>()
    for (const task of objectsOf(JSON.parse(body.toString('utf8')))) {
      const id = wordOf(task.id)
      if (reported.has(id)) continue
      const { failReason } = task
      reported.set(
        id,
        typeof failReason === 'string' ? { ...task, failReason: withoutSecrets(failReason, channel) } : task,
      )
    }
    return reported
  } catch {
    // The next round asks again.
    return undefined
  }
}

function byChannel(tasks: readonly UnfinishedTask[]): Map<number, UnfinishedTask[]> {
  const groups = new Map<number, UnfinishedTask[]>()
  for (const task of tasks) {
    const group = groups.get(task.channelId)
    if (group) group.push(task)
    else groups.set(task.channelId, [task])
  }
  return groups
}
