import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveChannel } from '../../../../core/channels/directory.ts'
import { poolOf } from '../../../../core/channels/routing.ts'
import type { Hold } from '../../../../core/ledger/charge.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import { ACTION_MODELS, opensModal } from '../../../../core/tasks/drawing-actions.ts'
import type { OwnDrawing } from '../../../../core/tasks/drawings.ts'
import { submitOnce } from '../../admission/idempotency.ts'
import { refuseSensitive } from '../../admission/sensitive.ts'
import { writtenTexts } from '../../admission/written-texts.ts'
import type { Failure } from '../../providers/provider.ts'
import { tryTaskChannels } from '../attempts.ts'
import type { ExchangeTrouble } from '../exchange.ts'
import type { SubmissionCut } from '../running.ts'
import { type AdmittedTask, admitTask, callerOf, holdTask, settleTask } from '../submission.ts'
import { askProxy, channelOf, type DrawingParts, unanswered } from './exchange.ts'
import { refuseDrawing } from './refusal.ts'
import { bodyOf, upstreamPath } from './request.ts'
import { readWanted, type SubmitPath, suitsEveryAccount, type Wanted } from './submission-body.ts'
import { type DrawingOutcome, type Judged, outcomeOf, type Words, wordsFor } from './submit-answer.ts'

const TIMEOUT_MS = 60_000
const GATEWAY_TIMEOUT = 504

/**
 * Submits a drawing: price held, upstream asked, charge and task written in one transaction, answer passed on. Throws
 * TOKEN_*, NO_CHANNEL, INSUFFICIENT_*, DRAWING_REFUSED; whatever is thrown, nothing has been charged.
 */
export async function submitDrawing(
  parts: DrawingParts,
  request: FastifyRequest,
  reply: FastifyReply,
  path: SubmitPath,
): Promise<void> {
  const { toolkit, submissions } = parts
  const caller = await callerOf(toolkit, request)
  const wanted = readWanted(path, bodyOf(request), toolkit.options)
  const { action, taskId } = wanted
  // First of all: where a channel is gone, that is what its client is told, and not that nobody else serves the action.
  const origin = taskId === undefined ? undefined : await originOf(parts, { userId: caller.user.id, taskId, wanted })
  const priced = await admitTask(request, { caller, model: ACTION_MODELS[action] }, parts)
  const admitted = opensModal(action) ? { ...priced, quota: 0 } : priced
  await refuseSensitive(
    parts,
    () => admitted,
    () => writtenTexts(wanted.body),
  )
  const asked = { wanted, origin, admitted, path: upstreamPath(request, path), clientHeaders: request.headers }
  const run = (requestId: string) =>
    submissions.run(async (cut) => {
      const hold = await holdTask(toolkit, admitted)
      try {
        return await askAndKeep(parts, { ...asked, admitted: { ...admitted, requestId } }, { hold, cut })
      } finally {
        toolkit.ledger.release(hold)
      }
    })
  const { status, body } = await submitOnce<Pick<Judged, 'status' | 'body' | 'charged'>>(request, reply, {
    admitted,
    outcomes: toolkit.relayOutcomes,
    run,
    charged: (judged) => (judged.charged ? judged.body : undefined),
    replayed: (bytes) => ({ status: 200, body: bytes, charged: true }),
  })
  reply.code(status).type('application/json; charset=utf-8').serializer(String).send(body)
}

/** What a submission follows, and where that is. */
interface Origin {
  drawing: OwnDrawing
  channel: LiveChannel
}

/** A submission that was let in. */
interface Asked {
  wanted: Wanted
  origin: Origin | undefined
  admitted: AdmittedTask
  /** Of the upstream. */
  path: string
  clientHeaders: IncomingHttpHeaders
}

/** Asks channels until one answers; charges and keeps what it has taken, or keeps what it refused. Throws DRAWING_REFUSED. */
async function askAndKeep(
  parts: DrawingParts,
  { wanted, origin, admitted, path, clientHeaders }: Asked,
  { hold, cut }: { hold: Hold; cut: SubmissionCut },
): Promise<Judged> {
  const { toolkit } = parts
  const { action, taskId, body } = wanted
  const suitsAll = suitsEveryAccount(wanted, path)
  const forward: Words['forward'] = (picture) =>
    toolkit.pictureLinks.addressOf({ user_id: admitted.caller.user.id, ...picture })
  const limits = { timeoutMs: TIMEOUT_MS, interruption: cut, clientHeaders }
  const attempts = {
    channels: origin ? poolOf([origin.channel]) : admitted.channels,
    // A task is followed where it is, and nowhere else.
    pinned: origin !== undefined || admitted.caller.pinnedChannelId > 0,
    retries: toolkit.options.get(OPTIONS.RetryTimes),
    via: 'drawing',
    written: body,
    async ask(channel: LiveChannel) {
      const answer = await askProxy(parts, channel, { path, body }, limits)
      return outcomeOf(answer, { action, taskId, suitsAll, now: Date.now(), forward, ...wordsFor(channel) })
    },
  }
  const { channel, outcome, tried } = await tryTaskChannels<DrawingOutcome>(admitted, attempts, { ...parts, cut })
  if (!('judged' in outcome)) throw 'refusal' in outcome ? outcome.refusal : unanswered(troubleIn(outcome.failure))
  const { judged } = outcome
  await settleTask(toolkit, judged.charged ? admitted : { ...admitted, quota: 0 }, {
    hold,
    channel,
    tried,
    action,
    ...(judged.mjId && { upstreamId: judged.mjId }),
    task: { table: 'midjourneys', row: rowOf(wanted, { origin, judged }) },
  })
  return judged
}

/** What became of asking one channel, where no answer came. */
function troubleIn({ status, retry }: Failure): ExchangeTrouble {
  if (status === GATEWAY_TIMEOUT) return 'late'
  return retry === 'never' ? 'broken' : 'unsent'
}

/** The caller's own task that a submission follows. Throws DRAWING_REFUSED. */
async function originOf(
  parts: DrawingParts,
  { userId, taskId, wanted: { action } }: { userId: number; taskId: string; wanted: Wanted },
): Promise<Origin> {
  const drawing = await parts.toolkit.drawings.findOwn(userId, taskId)
  if (!drawing) throw refuseDrawing('task_not_found')
  // A modal belongs to a task that waits for it.
  const mustBeDone = action !== 'MODAL' && parts.toolkit.options.get(OPTIONS.MjActionCheckSuccessEnabled)
  if (mustBeDone && drawing.status !== 'SUCCESS') throw refuseDrawing('task_status_not_success')
  return { drawing, channel: channelOf(parts, drawing) }
}

function rowOf(
  { action, prompt, body }: Wanted,
  { origin, judged: { row } }: { origin: Origin | undefined; judged: Judged },
): Record<string, string | number> {
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    action,
    prompt: origin ? origin.drawing.prompt : prompt,
    state: text(body.state),
    bot_type: text(body.botType),
    custom_id: text(body.customId),
    ...row,
  }
}
