import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { poolOf } from '../../../../core/channels/routing/routing.ts'
import type { Hold } from '../../../../core/ledger/charge.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import { ACTION_MODELS, opensModal } from '../../../../core/tasks/drawing-actions.ts'
import type { OwnDrawing } from '../../../../core/tasks/drawings.ts'
import { extractText } from '../../admission/extract-text.ts'
import { submitOnce } from '../../admission/idempotency.ts'
import { refuseSensitive } from '../../admission/sensitive.ts'
import type { Failure } from '../../providers/provider.ts'
import { tryTaskChannels } from '../attempts.ts'
import type { ExchangeTrouble } from '../exchange.ts'
import type { SubmissionAbort } from '../running.ts'
import { type AdmittedTask, admitTask, callerOf, holdTask, settleTask } from '../submission.ts'
import { callDrawingServer, channelOf, type DrawingParts, noReplyError } from './exchange.ts'
import { drawingError } from './refusal.ts'
import { bodyOf, upstreamPath } from './request.ts'
import { type DrawingSubmission, parseSubmission, type SubmitPath, suitsEveryAccount } from './submission-body.ts'
import {
  type DrawingOutcome,
  drawingOutcomeOf,
  type EvaluatedReply,
  type TextFunctions,
  wordsFor,
} from './submit-answer.ts'

const TIMEOUT_MS = 60_000
const GATEWAY_TIMEOUT = 504

/**
 * Submits a drawing. Holds the price, calls the upstream, charges and stores the task in one transaction, and sends the
 * reply. Throws TOKEN_*, NO_CHANNEL, INSUFFICIENT_*, DRAWING_REFUSED and others. After an error, nothing is charged.
 */
export async function submitDrawing(
  parts: DrawingParts,
  request: FastifyRequest,
  reply: FastifyReply,
  path: SubmitPath,
): Promise<void> {
  const { toolkit, submissions } = parts
  const caller = await callerOf(toolkit, request)
  const submission = parseSubmission(path, bodyOf(request), toolkit.options)
  const { action, taskId } = submission
  // Without the channel of the previous task, the client must get that error instead of NO_CHANNEL.
  const origin =
    taskId === undefined ? undefined : await originOf(parts, { userId: caller.user.id, taskId, submission })
  const pricedTask = await admitTask(request, { caller, model: ACTION_MODELS[action] }, parts)
  const admitted = opensModal(action) ? { ...pricedTask, quota: 0 } : pricedTask
  await refuseSensitive(
    parts,
    () => admitted,
    () => extractText(submission.body),
  )
  const admittedSubmission = {
    submission,
    origin,
    admitted,
    path: upstreamPath(request, path),
    clientHeaders: request.headers,
  }
  const run = (requestId: string) =>
    submissions.run(async (cut) => {
      const hold = await holdTask(toolkit, admitted)
      try {
        return await submitAndStore(
          parts,
          { ...admittedSubmission, admitted: { ...admitted, requestId } },
          { hold, cut },
        )
      } finally {
        toolkit.ledger.release(hold)
      }
    })
  const { status, body } = await submitOnce<Pick<EvaluatedReply, 'status' | 'body' | 'charged'>>(request, reply, {
    admitted,
    outcomes: toolkit.relayOutcomes,
    run,
    charged: (evaluated) => (evaluated.charged ? evaluated.body : undefined),
    replayed: (bytes) => ({ status: 200, body: bytes, charged: true }),
  })
  reply.code(status).type('application/json; charset=utf-8').serializer(String).send(body)
}

/** The previous task that a submission continues, and its channel. */
interface Origin {
  drawing: OwnDrawing
  channel: LiveChannel
}

/** A submission that passed all checks. */
interface AdmittedSubmission {
  submission: DrawingSubmission
  origin: Origin | undefined
  admitted: AdmittedTask
  /** The path at the upstream. */
  path: string
  clientHeaders: IncomingHttpHeaders
}

/**
 * Tries channels until one replies. Stores the task, and charges it unless the upstream rejected it. Throws
 * DRAWING_REFUSED.
 */
async function submitAndStore(
  parts: DrawingParts,
  { submission, origin, admitted, path, clientHeaders }: AdmittedSubmission,
  { hold, cut }: { hold: Hold; cut: SubmissionAbort },
): Promise<EvaluatedReply> {
  const { toolkit } = parts
  const { action, taskId, body } = submission
  const suitsAll = suitsEveryAccount(submission, path)
  const forward: TextFunctions['forward'] = (picture) =>
    toolkit.pictureLinks.addressOf({ user_id: admitted.caller.user.id, ...picture })
  const limits = { timeoutMs: TIMEOUT_MS, interruption: cut, clientHeaders }
  const attempts = {
    channels: origin ? poolOf([origin.channel]) : admitted.channels,
    // A follow-up must go to the channel of its previous task.
    pinned: origin !== undefined || admitted.caller.pinnedChannelId > 0,
    retries: toolkit.options.get(OPTIONS.RetryTimes),
    via: 'drawing',
    written: body,
    async ask(channel: LiveChannel) {
      const taskReply = await callDrawingServer(parts, channel, { path, body }, limits)
      return drawingOutcomeOf(taskReply, { action, taskId, suitsAll, now: Date.now(), forward, ...wordsFor(channel) })
    },
  }
  const { channel, outcome, tried } = await tryTaskChannels<DrawingOutcome>(admitted, attempts, { ...parts, cut })
  if (!('evaluated' in outcome)) throw 'refusal' in outcome ? outcome.refusal : noReplyError(troubleIn(outcome.failure))
  const { evaluated } = outcome
  await settleTask(toolkit, evaluated.charged ? admitted : { ...admitted, quota: 0 }, {
    hold,
    channel,
    tried,
    action,
    ...(evaluated.mjId && { upstreamId: evaluated.mjId }),
    task: { table: 'midjourneys', row: rowOf(submission, { origin, evaluated }) },
  })
  return evaluated
}

/** Returns how an exchange without a reply failed. */
function troubleIn({ status, retry }: Failure): ExchangeTrouble {
  if (status === GATEWAY_TIMEOUT) return 'late'
  return retry === 'never' ? 'broken' : 'unsent'
}

/** Returns the caller's task that a submission continues. Throws DRAWING_REFUSED. */
async function originOf(
  parts: DrawingParts,
  { userId, taskId, submission: { action } }: { userId: number; taskId: string; submission: DrawingSubmission },
): Promise<Origin> {
  const drawing = await parts.toolkit.drawings.findOwn(userId, taskId)
  if (!drawing) throw drawingError('task_not_found')
  // A task that waits for a modal window is not finished.
  const mustBeDone = action !== 'MODAL' && parts.toolkit.options.get(OPTIONS.MjActionCheckSuccessEnabled)
  if (mustBeDone && drawing.status !== 'SUCCESS') throw drawingError('task_status_not_success')
  return { drawing, channel: channelOf(parts, drawing) }
}

function rowOf(
  { action, prompt, body }: DrawingSubmission,
  { origin, evaluated: { row } }: { origin: Origin | undefined; evaluated: EvaluatedReply },
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
