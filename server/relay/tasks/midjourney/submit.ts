import type { FastifyReply, FastifyRequest } from 'fastify'
import { ROLE } from '../../../../core/actor.ts'
import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { Wanted as Asked } from '../../../../core/channels/health/subjects.ts'
import { candidatesOf, type Pool, pickChannel, poolOf } from '../../../../core/channels/routing.ts'
import type { Hold } from '../../../../core/ledger/charge.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import { ACTION_MODELS, opensModal } from '../../../../core/tasks/drawing-actions.ts'
import { pictureAddress } from '../../../../core/tasks/drawing-picture.ts'
import type { OwnDrawing } from '../../../../core/tasks/drawings.ts'
import { queryOf, withoutKey } from '../../admission.ts'
import type { Json } from '../../json.ts'
import { readFailure, withoutSecrets } from '../../providers/failure.ts'
import { setAsideRefusal } from '../../set-aside.ts'
import type { TaskReply } from '../exchange.ts'
import { type AdmittedTask, admitTask, callerOf, holdTask, settleTask } from '../submission.ts'
import { askProxy, channelOf, type DrawingParts, failedAttempt, hasProxy, isUnsent } from './exchange.ts'
import { refuseDrawing } from './refusal.ts'
import { bodyOf } from './request-body.ts'
import { readWanted, type SubmitPath, type Wanted } from './submission-body.ts'
import { type Judged, judge, type Words } from './submit-answer.ts'

const TIMEOUT_MS = 60_000
const NO_ACCOUNT = 'No available account instance'
/** What the gateway does to channels by itself. */
const GATEWAY = { id: 0, role: ROLE.root }

/**
 * Submits a drawing: price held, upstream asked, charge and task written in one transaction, answer passed on. Throws
 * TOKEN_*, NO_CHANNEL, INSUFFICIENT_*, DRAWING_REFUSED; whatever is thrown, nothing has been charged.
 */
export async function submitDrawing(
  parts: DrawingParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, prefix }: { path: SubmitPath; prefix: string },
): Promise<void> {
  const { toolkit, submissions } = parts
  const caller = await callerOf(toolkit, request)
  const wanted = readWanted(path, bodyOf(request), toolkit.options)
  const { action, taskId } = wanted
  const priced = await admitTask(request, { caller, model: ACTION_MODELS[action] }, parts)
  const admitted = opensModal(action) ? { ...priced, quota: 0 } : priced
  const origin = taskId === undefined ? undefined : await originOf(parts, { userId: caller.user.id, taskId, wanted })
  const channels = origin ? poolOf([channelOf(parts, origin)]) : admitted.channels
  const { model } = admitted
  // A task is followed where it is, and nowhere else.
  const asked = { model, via: 'drawing', pinned: origin !== undefined || caller.pinnedChannelId > 0 }
  const query = withoutKey(queryOf(request))
  const address = `${prefix}/mj/${path}${query && `?${query}`}`
  const judged = await submissions.run(async (interruption) => {
    const hold = await holdTask(toolkit, admitted)
    try {
      const limits = { timeoutMs: TIMEOUT_MS, interruption, clientHeaders: request.headers }
      const tried = await tryChannels(parts, { channels, wanted: asked }, { path: address, body: wanted.body }, limits)
      return await keep(parts, { ...tried, wanted, origin, admitted, hold })
    } finally {
      toolkit.ledger.release(hold)
    }
  })
  reply.code(judged.status).type('application/json; charset=utf-8').serializer(String).send(judged.body)
}

/**
 * Asks one healthy channel after the other, as long as the request does not come to any. Throws DRAWING_REFUSED,
 * CHANNELS_LIMITED, CHANNELS_UNHEALTHY.
 */
async function tryChannels(
  parts: DrawingParts,
  { channels, wanted }: { channels: Pool<LiveChannel>; wanted: Asked },
  question: { path: string; body: Json },
  limits: Parameters<typeof askProxy>[3],
): Promise<{ channel: LiveChannel; answer: TaskReply }> {
  const passed = new Set<number>()
  const retries = parts.toolkit.options.get(OPTIONS.RetryTimes)
  const health = parts.health.begin(wanted)
  let failure: unknown
  for (let attempt = 0; attempt <= retries; attempt++) {
    const channel = pickChannel(
      channels,
      (each) => hasProxy(each) && !passed.has(each.id) && health.allows(each),
      Math.random,
    )
    if (!channel) break
    passed.add(channel.id)
    const watched = health.attempt(channel)
    try {
      const answer = await askProxy(parts, channel, question, limits)
      if (answer.status < 400) watched.succeeded()
      else
        watched.failed(readFailure(answer.status, answer.bytes.toString()), () =>
          JSON.stringify(question.body).toLowerCase(),
        )
      return { channel, answer }
    } catch (error) {
      const found = limits.interruption?.cause ? undefined : failedAttempt(error)
      if (found) watched.failed(found)
      else watched.abandoned()
      parts.logger.warn({ channel: channel.id, err: error }, 'a drawing was not taken')
      failure = error
      if (!isUnsent(error) || limits.interruption?.cause) break
    }
  }
  const proxies = poolOf(candidatesOf(channels).filter(hasProxy))
  throw (
    failure ??
    setAsideRefusal(health, proxies, { passed, model: wanted.model }) ??
    refuseDrawing('get_channel_info_failed')
  )
}

/** Charges and keeps what a channel has taken, or keeps what it refused. Throws DRAWING_REFUSED. */
async function keep(parts: DrawingParts, { channel, answer, wanted, origin, admitted, hold }: Kept): Promise<Judged> {
  const { toolkit, logger } = parts
  const { action, taskId } = wanted
  const now = Date.now()
  const clean = (text: string) => withoutSecrets(text, channel)
  const forward: Words['forward'] = (picture) => pictureAddress(toolkit.options, picture)
  let found: Judged
  try {
    found = judge(answer, { action, taskId, now, clean, forward })
  } catch (error) {
    logger.warn(
      { requestId: admitted.requestId, channel: channel.id, err: error },
      'an upstream answered a drawing oddly',
    )
    throw error
  }
  if (found.noAccount) await disable(parts, channel)
  await settleTask(toolkit, found.charged ? admitted : { ...admitted, quota: 0 }, {
    hold,
    channel,
    action,
    ...(found.mjId && { upstreamId: found.mjId }),
    task: { table: 'midjourneys', row: rowOf(wanted, { origin, found, now }) },
  })
  return found
}

interface Kept {
  channel: LiveChannel
  answer: TaskReply
  wanted: Wanted
  origin: OwnDrawing | undefined
  admitted: AdmittedTask
  hold: Hold
}

/** The caller's own task that a submission follows. Throws DRAWING_REFUSED. */
async function originOf(
  { toolkit: { drawings, options } }: DrawingParts,
  { userId, taskId, wanted: { action } }: { userId: number; taskId: string; wanted: Wanted },
): Promise<OwnDrawing> {
  const origin = await drawings.findOwn(userId, taskId)
  if (!origin) throw refuseDrawing('task_not_found')
  // A modal belongs to a task that waits for it.
  const mustBeDone = action !== 'MODAL' && options.get(OPTIONS.MjActionCheckSuccessEnabled)
  if (mustBeDone && origin.status !== 'SUCCESS') throw refuseDrawing('task_status_not_success')
  return origin
}

async function disable({ toolkit: { channels, options } }: DrawingParts, { id }: LiveChannel): Promise<void> {
  if (options.get(OPTIONS.AutomaticDisableChannelEnabled)) await channels.disableAutomatically(GATEWAY, id, NO_ACCOUNT)
}

function rowOf(
  { action, prompt, body }: Wanted,
  { origin, found: { row }, now }: { origin: OwnDrawing | undefined; found: Judged; now: number },
): Record<string, string | number> {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    action,
    prompt: origin ? origin.prompt : prompt,
    state: text(body.state),
    bot_type: text(body.botType),
    custom_id: text(body.customId),
    submit_time: now,
    ...row,
  }
}
