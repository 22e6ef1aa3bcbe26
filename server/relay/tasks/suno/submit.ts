import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { CHANNEL_STATUS } from '../../../../core/channels/channel.ts'
import type { ChannelDirectory, LiveChannel } from '../../../../core/channels/directory.ts'
import { type Pool, pickChannel, poolOf } from '../../../../core/channels/routing.ts'
import { GatewayError } from '../../../../core/errors.ts'
import type { Hold } from '../../../../core/ledger/charge.ts'
import type { Language } from '../../../../core/messages/messages.ts'
import { OPTIONS } from '../../../../core/options/registry.ts'
import { MUSIC_PLATFORM } from '../../../../core/tasks/music.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import { parseBody } from '../../admission.ts'
import { languageOf } from '../../body-refusal.ts'
import type { Interruption } from '../../interruption.ts'
import type { Links } from '../../links.ts'
import { failure } from '../../providers/failure.ts'
import { exchange, troubleOf } from '../exchange.ts'
import { type AdmittedTask, admitTask, callerOf, holdTask, settleTask } from '../submission.ts'
import { readSubmitted, type Submitted, unreadable } from './answers.ts'
import { refused, type SunoError, sunoFailure } from './refusal.ts'
import { type MusicSubmission, readSubmission } from './submission.ts'

const TIMEOUT_MS = 60_000
const ANSWER_BYTES_MAX = 1024 * 1024
const BACKOFF_MS = 25
const BACKOFF_MAX_MS = 1000

export interface SunoParts {
  toolkit: LocalToolkit
  directory: ChannelDirectory
  links: Pick<Links, 'meansOf'>
  logger: Logger
}

/** What goes to the client: the upstream's own bytes, once the task is kept and charged. */
export type SunoAnswer = { bytes: Buffer } | SunoError

/**
 * Has something made: admit → hold → channels until one takes it → charge and row → answer. The client may leave meanwhile: a
 * task that was taken is kept all the same. Throws every refusal of `callerOf`, `readSubmission`, `admitTask` and `holdTask`.
 */
export async function submitMusic(
  request: FastifyRequest,
  { action, interruption }: { action: string; interruption: Pick<Interruption, 'signal' | 'cause'> },
  parts: SunoParts,
): Promise<SunoAnswer> {
  const { toolkit, directory } = parts
  const caller = await callerOf(toolkit, request)
  const notifies = toolkit.options.get(OPTIONS.MjNotifyEnabled)
  const submission = readSubmission(action, parseBody(request.body as Buffer | undefined), { notifies })
  const admitted = await admitTask(request, { caller, model: submission.model }, { toolkit, directory })
  const origin = submission.continues ? await originOf(submission.continues, caller.user.id, parts) : undefined
  const hold = await holdTask(toolkit, admitted)
  try {
    const channels = origin ? poolOf([origin]) : admitted.channels
    const retries = origin || caller.pinnedChannelId ? 0 : toolkit.options.get(OPTIONS.RetryTimes)
    const tried = await tryChannels({ channels, retries, submission, interruption, request }, parts)
    if (interruption.cause && !('taskId' in tried.submitted)) throw new GatewayError('STOPPING')
    return await answer(tried, { admitted, submission, hold, language: languageOf(request) }, parts)
  } finally {
    toolkit.ledger.release(hold)
  }
}

/** The channel that has the piece which is to be continued. Throws MUSIC_REFUSED. */
async function originOf(taskId: string, userId: number, { toolkit, directory }: SunoParts): Promise<LiveChannel> {
  const channelId = await toolkit.music.findChannelId(userId, taskId)
  if (channelId === undefined) throw refused('task_origin_not_exist')
  const channel = directory.find(channelId)
  if (!channel) throw refused('channel_not_found')
  if (channel.status !== CHANNEL_STATUS.enabled) throw refused('task_channel_disable')
  return channel
}

/** What the last channel said that was asked, and all that were. */
interface Tried {
  channel: LiveChannel
  submitted: Submitted
  bytes: Buffer
}

/**
 * Asks channels until one takes the task, each at most once. Another is asked only where the last one surely has not taken it:
 * else both would make it, and the operator pay for both.
 */
async function tryChannels(
  {
    channels,
    retries,
    submission,
    interruption,
    request,
  }: {
    channels: Pool<LiveChannel>
    retries: number
    submission: MusicSubmission
    interruption: Pick<Interruption, 'signal' | 'cause'>
    request: FastifyRequest
  },
  { links, logger }: SunoParts,
): Promise<Tried> {
  const passed = new Set<number>()
  let asked = 0
  let last: Tried | undefined
  while (asked <= retries && !interruption.cause) {
    const channel = pickChannel(channels, ({ id }) => !passed.has(id), Math.random)
    if (!channel) break
    passed.add(channel.id)
    if (channel.baseUrl === '') continue
    if (last) await sleep(Math.random() * Math.min(BACKOFF_MS * 2 ** asked, BACKOFF_MAX_MS))
    asked += 1
    last = await ask(channel, { submission, interruption, request, links })
    const { submitted } = last
    if ('taskId' in submitted) return last
    const { status, message, retry } = submitted.failure
    logger.warn({ requestId: request.id, channel: channel.id, status, reason: message }, 'music was not taken')
    if (retry === 'never') break
  }
  if (last) return last
  const [id = 0] = passed
  if (interruption.cause) throw new GatewayError('STOPPING')
  throw new GatewayError('CHANNEL_MISCONFIGURED', { id, reason: 'it has no base_url' })
}

async function ask(
  channel: LiveChannel,
  {
    submission,
    interruption,
    request,
    links,
  }: {
    submission: MusicSubmission
    interruption: Pick<Interruption, 'signal' | 'cause'>
    request: FastifyRequest
    links: Pick<Links, 'meansOf'>
  },
): Promise<Tried> {
  const sent = {
    url: `${channel.baseUrl}/suno/submit/${submission.action}`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key}` },
    body: JSON.stringify(submission.body),
  }
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX }
  try {
    const options = { ...limits, interruption, clientHeaders: request.headers }
    const reply = await exchange(links, channel, sent, options)
    return { channel, submitted: readSubmitted(reply, channel), bytes: reply.bytes }
  } catch (error) {
    if (error instanceof GatewayError) throw error
    return { channel, submitted: broken(error), bytes: Buffer.alloc(0) }
  }
}

function broken(error: unknown): Submitted {
  const trouble = troubleOf(error)
  if (trouble === 'late') {
    return { failure: failure(504, 'The upstream did not answer in time', { code: 'upstream_timeout' }) }
  }
  const found = failure(502, 'The upstream could not be reached, or broke off', { code: 'do_request_failed' })
  return { failure: trouble === 'unsent' ? found : { ...found, retry: 'never' } }
}

async function answer(
  { channel, submitted, bytes }: Tried,
  {
    admitted,
    submission,
    hold,
    language,
  }: { admitted: AdmittedTask; submission: MusicSubmission; hold: Hold; language: Language },
  { toolkit, logger }: SunoParts,
): Promise<SunoAnswer> {
  const { requestId } = admitted
  if (!('taskId' in submitted)) return sunoFailure(submitted.failure, { requestId, language, ...codeOf(submitted) })
  const { taskId } = submitted
  if (await toolkit.music.isTaken(channel.id, taskId)) {
    // Two rows of one task would be paid twice, and show it to whoever did not ask for it.
    logger.warn({ requestId, channel: channel.id, taskId }, 'an upstream gave an id that another task has')
    const repeated = unreadable('The upstream answered with the id of another task', channel)
    return sunoFailure(repeated.failure, { requestId, language, code: repeated.code })
  }
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
  await settleTask(toolkit, admitted, { hold, channel, action, task: { table: 'tasks', row } })
  return { bytes }
}

const codeOf = ({ code }: { code?: string }) => (code === undefined ? {} : { code })
