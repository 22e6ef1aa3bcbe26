import type { Logger } from 'pino'
import type { ChannelDirectory, LiveChannel } from '../../../../core/channels/directory.ts'
import type { UnfinishedTask } from '../../../../core/tasks/lifecycle.ts'
import { MUSIC_PLATFORM } from '../../../../core/tasks/music.ts'
import type { LocalToolkit } from '../../../../core/toolkit.ts'
import type { Job } from '../../../jobs/job.ts'
import type { Links } from '../../links.ts'
import { joinAddress } from '../../providers/openai/address.ts'
import { hasServer } from '../attempts.ts'
import { byKey, grouped } from '../by-key.ts'
import { exchange, withoutParams } from '../exchange.ts'
import { type MusicReport, readReports } from './answers.ts'
import { COMPARED, type Step, step, unnamed, withoutChannel } from './progress.ts'

const EVERY_MS = 15_000
const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 32 * 1024 * 1024
const TASKS_PER_ROUND = 500
const IDS_PER_CALL = 100
/** Who has not asked for so long has not listened. */
const AWAY_S = 300
/** So many channels are asked at once. */
const CHANNELS_AT_ONCE = 4

/** Asks for all music that is not finished. */
export function musicPoll({
  toolkit: { taskLifecycle },
  directory,
  links,
  logger,
  now = () => Math.floor(Date.now() / 1000),
}: {
  toolkit: Pick<LocalToolkit, 'taskLifecycle'>
  directory: Pick<ChannelDirectory, 'find'>
  links: Pick<Links, 'meansOf'>
  logger: Logger
  now?: () => number
}): Job {
  /** Where the last round ended: however many tasks there are, each has its turn. */
  let after = 0
  let watchedSince = 0
  let lastRound = 0
  const times = () => ({ now: now(), watchedSince })

  async function write({ id }: UnfinishedTask, found: Step | undefined): Promise<number> {
    if (!found) return 0
    try {
      return (await taskLifecycle.advance('tasks', id, found.changes, found.end)) && found.end ? 1 : 0
    } catch (err) {
      // One row that cannot be written must not keep all others waiting.
      logger.error({ err, task: id }, 'what became of a piece of music could not be written')
      return 0
    }
  }

  /** Answers how many ended. */
  async function askFor(channel: LiveChannel, tasks: UnfinishedTask[], signal: AbortSignal): Promise<number> {
    let ended = 0
    for (let start = 0; start < tasks.length && !signal.aborted; start += IDS_PER_CALL) {
      const chunk = tasks.slice(start, start + IDS_PER_CALL)
      const reports = hasServer(channel) ? await reportsOf(channel, chunk, signal) : undefined
      // Whether nobody answered or we hung up looks the same.
      if (signal.aborted) break
      for (const task of chunk) {
        const heard = reports && { report: reports.get(task.upstreamId) }
        ended += await write(task, step(task, heard, times()))
      }
    }
    return ended
  }

  async function reportsOf(
    channel: LiveChannel,
    tasks: UnfinishedTask[],
    signal: AbortSignal,
  ): Promise<Map<string, MusicReport> | undefined> {
    const request = {
      url: joinAddress(channel.baseUrl, '/suno/fetch'),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${channel.key}` },
      body: JSON.stringify({ ids: tasks.map(({ upstreamId }) => upstreamId) }),
    }
    try {
      const limits = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX, abort: signal }
      const reply = await exchange(links, withoutParams(channel), request, limits)
      const reports = readReports(reply, channel)
      if (!reports) logger.warn({ channel: channel.id, status: reply.status }, 'an upstream tells nothing of its music')
      return reports
    } catch (err) {
      if (!signal.aborted) logger.warn({ channel: channel.id, err }, 'an upstream was not reached for its music')
      return undefined
    }
  }

  async function round(signal: AbortSignal): Promise<string | undefined> {
    // Another process may have led meanwhile, or nobody.
    if (now() - lastRound > AWAY_S) watchedSince = now()
    lastRound = now()
    const page = await taskLifecycle.unfinished('tasks', {
      after,
      limit: TASKS_PER_ROUND,
      columns: ['platform', ...COMPARED],
    })
    after = page.length === TASKS_PER_ROUND ? (page.at(-1)?.id ?? 0) : 0
    // Imported tasks may be of platforms that nobody here knows how to ask.
    const music = page.filter(({ stored }) => stored.platform === MUSIC_PLATFORM)
    if (music.length === 0) return undefined
    let ended = 0
    for (const task of music) if (task.upstreamId === '') ended += await write(task, unnamed(now()))
    const byChannel = grouped(
      music.filter(({ upstreamId }) => upstreamId !== ''),
      ({ channelId }) => channelId,
    )
    const unknown = [...byChannel.keys()].filter((id) => !directory.find(id))
    const deleted = await taskLifecycle.deletedChannels(unknown)
    for (const id of unknown) {
      for (const task of byChannel.get(id) ?? []) {
        // One that is not deleted is so new that this process has not heard of it, or of a kind that nobody knows.
        const found = deleted.has(id) ? withoutChannel(id, now()) : step(task, undefined, times())
        ended += await write(task, found)
      }
    }
    const waiting = [...byChannel].flatMap(([id, tasks]) => {
      const channel = directory.find(id)
      return channel ? byKey(channel, tasks) : []
    })
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        ended += await askFor(next.channel, next.tasks, signal)
      }
    }
    await Promise.all(Array.from({ length: CHANNELS_AT_ONCE }, worker))
    return `${music.length} asked for, ${ended} ended`
  }

  return { name: 'music-poll', everyMs: EVERY_MS, run: round }
}
