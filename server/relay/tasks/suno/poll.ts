import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { MUSIC_PLATFORM } from '../../../../core/tasks/music.ts'
import type { Job } from '../../../jobs/job.ts'
import { callTaskServer, withoutParams } from '../exchange.ts'
import { type TaskPollParts, taskPoll } from '../poll.ts'
import { type MusicReport, readReports } from './answers.ts'
import { STEP_COLUMNS, step, stepWithoutId, withoutChannel } from './progress.ts'
import { musicRequest, type SunoParts } from './submit.ts'

const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 32 * 1024 * 1024
const IDS_PER_CALL = 100
const toSeconds = (ms: number) => Math.floor(ms / 1000)

/** Creates the job that polls all unfinished music tasks. */
export function musicPoll({ links, ...parts }: TaskPollParts & Pick<SunoParts, 'links'>): Job {
  async function ask(channel: LiveChannel, ids: readonly string[], abort: AbortSignal) {
    const request = musicRequest(channel, '/suno/fetch', { ids })
    const limits = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX, abort }
    const reply = await callTaskServer(links, withoutParams(channel), request, limits)
    return readReports(reply, channel) ?? { failure: `status ${reply.status}, and no list of tasks` }
  }

  return taskPoll<MusicReport>(
    {
      name: 'music-poll',
      table: 'tasks',
      platform: MUSIC_PLATFORM,
      columns: STEP_COLUMNS,
      chunk: IDS_PER_CALL,
      ask,
      step: (task, reply, { now, watchedSince }) =>
        step(task, reply, { now: toSeconds(now), watchedSince: toSeconds(watchedSince) }),
      unnamed: (now) => stepWithoutId(toSeconds(now)),
      channelGone: (id, now) => withoutChannel(id, toSeconds(now)),
    },
    parts,
  )
}
