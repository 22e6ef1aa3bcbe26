import type { FastifyReply, FastifyRequest } from 'fastify'
import { ROLE } from '../../../../core/actor.ts'
import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import { ACTION_MODELS, opensModal } from '../../../../core/tasks/drawing-actions.ts'
import { pictureAddress } from '../../../../core/tasks/drawing-picture.ts'
import type { OwnDrawing } from '../../../../core/tasks/drawings.ts'
import { queryOf, withoutKey } from '../../admission.ts'
import { withoutSecrets } from '../../providers/failure.ts'
import { admitTask, callerOf, holdTask, settleTask } from '../submission.ts'
import { askProxy, channelOf, drawnFrom } from './exchange.ts'
import type { DrawingParts } from './parts.ts'
import { refuseDrawing } from './refusal.ts'
import { bodyOf } from './request-body.ts'
import { readWanted, type SubmitPath, type Wanted } from './submission-body.ts'
import { type Judged, judge } from './submit-answer.ts'

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
  const channel = origin ? channelOf(parts, origin) : drawnFrom(admitted.channels)
  const query = withoutKey(queryOf(request))
  const address = `${prefix}/mj/${path}${query && `?${query}`}`
  const judged = await submissions.run(async (signal) => {
    const hold = await holdTask(toolkit, admitted)
    try {
      const question = { method: 'POST', path: address, body: JSON.stringify(wanted.body) } as const
      const answer = await askProxy(parts, channel, question, { timeoutMs: TIMEOUT_MS, signal })
      const now = Date.now()
      const clean = (text: string) => withoutSecrets(text, channel)
      const forward = (picture: { mj_id: string; image_url: string }) => pictureAddress(toolkit.options, picture)
      const found = judge(answer, { action, taskId, now, clean, forward })
      if (found.noAccount) await disable(parts, channel)
      await settleTask(toolkit, found.charged ? admitted : { ...admitted, quota: 0 }, {
        hold,
        channel,
        action,
        ...(found.mjId && { upstreamId: found.mjId }),
        task: { table: 'midjourneys', row: rowOf(wanted, { origin, found, now }) },
      })
      return found
    } finally {
      toolkit.ledger.release(hold)
    }
  })
  reply.code(judged.status).type('application/json; charset=utf-8').send(judged.body)
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
