import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { CHANNEL_STATUS } from '../../../../core/channels/channel.ts'
import type { ChannelHealth } from '../../../../core/channels/health/health.ts'
import { withStoredKey } from '../../../../core/channels/keys/key-ring.ts'
import type { ChannelDirectory, LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { poolOf } from '../../../../core/channels/routing/routing.ts'
import type { Hold } from '../../../../core/ledger/charge.ts'
import type { Language } from '../../../../core/messages/language.ts'
import { failureMessage } from '../../../../core/messages/reasons.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import { MUSIC_PLATFORM } from '../../../../core/tasks/music.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import { parseBody } from '../../admission/admission.ts'
import { relayLanguageOf } from '../../admission/body-refusal.ts'
import { submitOnce } from '../../admission/idempotency.ts'
import { refuseSensitive } from '../../admission/sensitive.ts'
import type { Json } from '../../json.ts'
import { joinAddress } from '../../providers/openai/address.ts'
import type { UpstreamRequest } from '../../providers/provider.ts'
import type { OutboundClients } from '../../transport/outbound-clients.ts'
import { type TriedTask, tryTaskChannels } from '../attempts.ts'
import { callTaskServer } from '../exchange.ts'
import type { SubmissionAbort } from '../running.ts'
import { type AdmittedTask, admitTask, callerOf, holdTask, settleTask } from '../submission.ts'
import { readSubmitted, type Submitted, unreadable } from './answers.ts'
import { musicError, type SunoError, sunoFailure } from './refusal.ts'
import { type MusicSubmission, readSubmission } from './submission.ts'

const TIMEOUT_MS = 60_000
const ANSWER_BYTES_MAX = 1024 * 1024

export interface SunoParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: Pick<OutboundClients, 'providerContextFor'>
  health: Pick<ChannelHealth, 'begin'>
  logger: Logger
}

/** The reply for the client: the upstream's bytes if the task is stored and charged, else an error. */
type SunoAnswer = { bytes: Buffer } | SunoError

/**
 * Submits music. Holds the price, tries channels, then charges and stores the task. Stores an accepted task even if the
 * client disconnects.
 *
 * Throws the errors of `callerOf`, `readSubmission`, `admitTask`, `holdTask` and `tryTaskChannels`, and
 * SENSITIVE_WORDS.
 */
export async function submitMusic(
  request: FastifyRequest,
  { reply, action, cut }: { reply: FastifyReply; action: string; cut: SubmissionAbort },
  parts: SunoParts,
): Promise<SunoAnswer> {
  const { toolkit, directory } = parts
  const caller = await callerOf(toolkit, request)
  const canNotify = toolkit.options.get(OPTIONS.MjNotifyEnabled)
  const submission = readSubmission(action, parseBody(request.body as Buffer | undefined), { canNotify })
  const admitted = await admitTask(request, { caller, model: submission.model }, { toolkit, directory })
  const { continuedTaskId } = submission
  const origin = continuedTaskId ? await originOf(continuedTaskId, caller.user.id, parts) : undefined
  await refuseSensitive(
    parts,
    () => admitted,
    () => submission.texts,
  )
  return submitOnce<SunoAnswer>(request, reply, {
    admitted,
    outcomes: toolkit.relayOutcomes,
    run: (requestId) => holdAndSend(request, { admitted: { ...admitted, requestId }, submission, origin, cut }, parts),
    charged: (answered) => ('bytes' in answered ? answered.bytes : undefined),
    replayed: (bytes) => ({ bytes }),
  })
}

interface AdmittedSubmission {
  readonly admitted: AdmittedTask
  readonly submission: MusicSubmission
  /** The channel that has the task to continue, if any. */
  readonly origin: LiveChannel | undefined
  readonly cut: SubmissionAbort
}

async function holdAndSend(
  request: FastifyRequest,
  { admitted, submission, origin, cut }: AdmittedSubmission,
  parts: SunoParts,
): Promise<SunoAnswer> {
  const { toolkit, links } = parts
  const { action, body } = submission
  const clientText = () => JSON.stringify(body).toLowerCase()
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX }
  const attempts = {
    channels: origin ? poolOf([origin]) : admitted.channels,
    pinned: origin !== undefined || admitted.caller.pinnedChannelId > 0,
    retries: toolkit.options.get(OPTIONS.RetryTimes),
    via: MUSIC_PLATFORM,
    written: body,
    async ask(channel: LiveChannel) {
      const upstreamRequest = musicRequest(channel, `/suno/submit/${action}`, body)
      const options = { ...limits, interruption: cut, clientHeaders: request.headers }
      return readSubmitted(await callTaskServer(links, channel, upstreamRequest, options), channel, clientText)
    },
  }
  const hold = await holdTask(toolkit, admitted)
  try {
    const tried = await tryTaskChannels<Submitted>(admitted, attempts, { ...parts, cut })
    return await storeTask(tried, { admitted, submission, hold, language: relayLanguageOf(request) }, parts)
  } finally {
    toolkit.ledger.release(hold)
  }
}

/** Returns the channel that has the task to continue, with the task's key. Throws MUSIC_REFUSED. */
async function originOf(taskId: string, userId: number, { toolkit, directory }: SunoParts): Promise<LiveChannel> {
  const place = await toolkit.music.findPlace(userId, taskId)
  if (!place) throw musicError('task_origin_not_exist')
  const channel = directory.find(place.channel_id)
  if (!channel) throw musicError('channel_not_found')
  if (channel.status !== CHANNEL_STATUS.enabled) throw musicError('task_channel_disable')
  return withStoredKey(channel, place.key_digest)
}

/** Returns a request to a channel's music server. */
export function musicRequest({ baseUrl, key }: LiveChannel, path: string, body: Json): UpstreamRequest {
  return {
    url: joinAddress(baseUrl, path),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  }
}

async function storeTask(
  { channel, outcome, tried }: TriedTask<Submitted>,
  context: { admitted: AdmittedTask; submission: MusicSubmission; hold: Hold; language: Language },
  { toolkit, logger }: SunoParts,
): Promise<SunoAnswer> {
  const { admitted, submission, hold, language } = context
  const { requestId } = admitted
  if (outcome.failure) {
    const code = 'code' in outcome ? outcome.code : undefined
    return sunoFailure(outcome.failure, { requestId, language, code })
  }
  const { taskId, bytes } = outcome
  const now = Math.floor(Date.now() / 1000)
  const { action, input } = submission
  const row = {
    platform: MUSIC_PLATFORM,
    task_id: taskId,
    action,
    status: 'NOT_START',
    progress: '0%',
    created_at: now,
    updated_at: now,
    submit_time: now,
    properties: JSON.stringify({ input }),
  }
  const task = { table: 'tasks', row } as const
  if (await settleTask(toolkit, admitted, { hold, channel, tried, action, task })) return { bytes }
  // A second row with the same id would charge a task twice, or show it to another user.
  logger.warn({ requestId, channel: channel.id, taskId }, 'an upstream gave an id that another task has')
  const repeated = unreadable(failureMessage('repeatedTaskId'), channel)
  return sunoFailure(repeated.failure, { requestId, language, code: repeated.code })
}
