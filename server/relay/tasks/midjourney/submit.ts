import type { FastifyReply, FastifyRequest } from 'fastify'
import { GATEWAY } from '../../../../core/actor.ts'
import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { poolOf } from '../../../../core/channels/routing.ts'
import type { Hold } from '../../../../core/ledger/charge.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import { ACTION_MODELS, opensModal } from '../../../../core/tasks/drawing-actions.ts'
import { pictureAddress } from '../../../../core/tasks/drawing-picture.ts'
import type { OwnDrawing } from '../../../../core/tasks/drawings.ts'
import { queryOf, withoutKey } from '../../admission.ts'
import { withoutSecrets } from '../../providers/failure.ts'
import type { Failure } from '../../providers/provider.ts'
import { refuseSensitive } from '../../sensitive.ts'
import { writtenTexts } from '../../written-texts.ts'
import { tryTaskChannels } from '../attempts.ts'
import type { ExchangeTrouble } from '../exchange.ts'
import { type AdmittedTask, admitTask, callerOf, holdTask, settleTask } from '../submission.ts'
import { askProxy, channelOf, type DrawingParts, unanswered } from './exchange.ts'
import { refuseDrawing } from './refusal.ts'
import { bodyOf } from './request-body.ts'
import { readWanted, type SubmitPath, type Wanted } from './submission-body.ts'
import { type DrawingOutcome, type Judged, outcomeOf, type Words } from './submit-answer.ts'

const TIMEOUT_MS = 60_000
const GATEWAY_TIMEOUT = 504
const NO_ACCOUNT = 'No available account instance'

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
  const { toolkit, submissions, logger } = parts
  const caller = await callerOf(toolkit, request)
  const wanted = readWanted(path, bodyOf(request), toolkit.options)
  const { action, taskId } = wanted
  const priced = await admitTask(request, { caller, model: ACTION_MODELS[action] }, parts)
  const admitted = opensModal(action) ? { ...priced, quota: 0 } : priced
  const origin = taskId === undefined ? undefined : await originOf(parts, { userId: caller.user.id, taskId, wanted })
  await refuseSensitive(parts, admitted, () => writtenTexts(wanted.body))
  const query = withoutKey(queryOf(request))
  const question = { path: `${prefix}/mj/${path}${query && `?${query}`}`, body: wanted.body }
  const judged = await submissions.run(async (cut) => {
    const hold = await holdTask(toolkit, admitted)
    try {
      const limits = { timeoutMs: TIMEOUT_MS, interruption: cut, clientHeaders: request.headers }
      const { channel, outcome, tried } = await tryTaskChannels<DrawingOutcome>(
        admitted,
        {
          channels: origin ? poolOf([channelOf(parts, origin)]) : admitted.channels,
          // A task is followed where it is, and nowhere else.
          pinned: origin !== undefined || caller.pinnedChannelId > 0,
          retries: toolkit.options.get(OPTIONS.RetryTimes),
          via: 'drawing',
          ask: async (asked) => {
            const reply = await askProxy(parts, asked, question, limits)
            const outcome = outcomeOf(reply, { action, taskId, now: Date.now(), ...wordsFor(parts, asked) })
            if ('judged' in outcome && outcome.judged.noAccount) await disable(parts, asked)
            return outcome
          },
          said: () => JSON.stringify(wanted.body).toLowerCase(),
        },
        { health: parts.health, cut, logger },
      )
      if (!('judged' in outcome)) throw 'refusal' in outcome ? outcome.refusal : unanswered(troubleIn(outcome.failure))
      await keep(parts, { channel, tried, judged: outcome.judged, wanted, origin, admitted, hold })
      return outcome.judged
    } finally {
      toolkit.ledger.release(hold)
    }
  })
  reply.code(judged.status).type('application/json; charset=utf-8').serializer(String).send(judged.body)
}

/** What became of asking one channel, where no answer came. */
function troubleIn({ status, retry }: Failure): ExchangeTrouble {
  if (status === GATEWAY_TIMEOUT) return 'late'
  return retry === 'never' ? 'broken' : 'unsent'
}

function wordsFor({ toolkit }: DrawingParts, channel: LiveChannel): Words {
  return {
    clean: (text) => withoutSecrets(text, channel),
    forward: (picture) => pictureAddress(toolkit.options, picture),
  }
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

/** Charges and keeps what a channel has taken, or keeps what it refused. */
async function keep(
  parts: DrawingParts,
  { channel, tried, judged, wanted, origin, admitted, hold }: Kept,
): Promise<void> {
  await settleTask(parts.toolkit, judged.charged ? admitted : { ...admitted, quota: 0 }, {
    hold,
    channel,
    tried,
    action: wanted.action,
    ...(judged.mjId && { upstreamId: judged.mjId }),
    task: { table: 'midjourneys', row: rowOf(wanted, { origin, judged }) },
  })
}

interface Kept {
  channel: LiveChannel
  tried: readonly number[]
  judged: Judged
  wanted: Wanted
  origin: OwnDrawing | undefined
  admitted: AdmittedTask
  hold: Hold
}

async function disable({ toolkit: { channels, options } }: DrawingParts, { id }: LiveChannel): Promise<void> {
  if (options.get(OPTIONS.AutomaticDisableChannelEnabled)) await channels.disableAutomatically(GATEWAY, id, NO_ACCOUNT)
}

function rowOf(
  { action, prompt, body }: Wanted,
  { origin, judged: { row } }: { origin: OwnDrawing | undefined; judged: Judged },
): Record<string, string | number> {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    action,
    prompt: origin ? origin.prompt : prompt,
    state: text(body.state),
    bot_type: text(body.botType),
    custom_id: text(body.customId),
    ...row,
  }
}
