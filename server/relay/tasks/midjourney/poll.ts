import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { failedStep, nextStep, REPORTED_COLUMNS, unnamedStep } from '../../../../core/tasks/drawing-progress.ts'
import type { Job } from '../../../jobs/job.ts'
import { type Json, mapTexts, objectsOf, wordOf } from '../../json.ts'
import { withoutChannelSecrets, withoutSecrets } from '../../providers/failure.ts'
import { withoutParams } from '../exchange.ts'
import { type TaskPollParts, taskPoll } from '../poll.ts'
import { callDrawingServer, type DrawingParts } from './exchange.ts'

const TIMEOUT_MS = 15_000
const IDS_PER_REQUEST = 200
const channelGone = (id: number) => `获取渠道信息失败，请联系管理员，渠道ID：${id}`

/** Creates the job that polls all unfinished drawings. */
export function createDrawingPoll(parts: TaskPollParts & Pick<DrawingParts, 'links'>): Job {
  async function ask(channel: LiveChannel, ids: readonly string[], abort: AbortSignal) {
    const request = { path: '/mj/task/list-by-condition', body: { ids } }
    const reply = await callDrawingServer(parts, withoutParams(channel), request, { timeoutMs: TIMEOUT_MS, abort })
    if (reply.status !== 200) return { failure: `status ${reply.status}` }
    return readReports(reply.bytes, channel) ?? { failure: 'the reply is not a list of drawings' }
  }

  return taskPoll<Json>(
    {
      name: 'drawing-poll',
      table: 'midjourneys',
      columns: REPORTED_COLUMNS,
      chunk: IDS_PER_REQUEST,
      ask,
      step: nextStep,
      unnamed: unnamedStep,
      channelGone: (id, now) => failedStep(channelGone(id), now),
    },
    parts,
  )
}

/** Returns the tasks in a reply by id, or undefined if it is not a list. If an id repeats, the first task counts. */
function readReports(bytes: Buffer, channel: LiveChannel): Map<string, Json> | undefined {
  let reply: unknown
  try {
    reply = JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
  if (!Array.isArray(reply)) return undefined
  const reports = new Map<string, Json>()
  for (const task of objectsOf(reply)) {
    const id = wordOf(task.id)
    if (!reports.has(id)) reports.set(id, withoutTaskSecrets(task, channel))
  }
  return reports
}

/**
 * Masks the channel's keys and address in the texts of a task, because users see their tasks. Does not mask URLs of
 * images and videos. While `MjForwardUrlEnabled` is on, clients get the gateway's own image URL instead.
 */
function withoutTaskSecrets(task: Json, channel: LiveChannel): Json {
  const { failReason, promptEn, state, buttons, properties } = task
  const texts = mapTexts({ promptEn, state, buttons, properties }, (text) =>
    withoutChannelSecrets(text, channel),
  ) as Json
  return {
    ...task,
    ...texts,
    ...(typeof failReason === 'string' && { failReason: withoutSecrets(failReason, channel) }),
  }
}
