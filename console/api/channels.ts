import type { Data } from './calls.ts'
import { ApiError, call, callWhole } from './client.ts'
import type { ListPage } from './list-page.ts'

/** An upstream account. Its key is written, never read. */
export type Channel = Data<'GET /api/channel/page'>['items'][number]
/** Something that keeps requests away from a channel for a while. */
export type Circuit = Data<'GET /api/channel/health'>['circuits'][number]
export type ChannelHealth = Data<'GET /api/channel/:id/health'>

export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const
export const PRIORITY_MIN = -999
export const WEIGHT_MIN = 0
/** What priorities and weights go up to. */
export const WHOLE_MAX = 2 ** 31 - 1

interface ChannelQuery extends ListPage {
  /** Part of a name, or an id. */
  keyword: string
  group: string
  /** A whole name. */
  model: string
  /** Numbers as texts, as the address has them; empty for any. */
  status: string
  type: string
  tag: string
  newestFirst: boolean
  /** Pages of tags, each with all of its channels. */
  byTag: boolean
}

export function listChannels(
  { page, pageSize, newestFirst, byTag, status, type, ...filter }: ChannelQuery,
  signal?: AbortSignal,
) {
  const numbers = { status: numberIn(status), type: numberIn(type) }
  const view = { id_sort: newestFirst, tag_mode: byTag, p: page, page_size: pageSize }
  return call('GET /api/channel/page', { query: { ...filter, ...numbers, ...view }, signal })
}

/** What is typed into the address may be no number: it then filters nothing. */
const numberIn = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)

export const getCircuits = async (signal: AbortSignal) => (await call('GET /api/channel/health', { signal })).circuits

export const getHealth = (id: number, signal: AbortSignal) =>
  call('GET /api/channel/:id/health', { path: { id }, signal })

export const changeChannel = (body: { id: number; status?: number; priority?: number; weight?: number }) =>
  call('PUT /api/channel/', { body })

export const deleteChannel = ({ id }: Pick<Channel, 'id'>) => call('DELETE /api/channel/:id', { path: { id } })

/** Upstreams take their time. */
const UPSTREAM_TIMEOUT_MS = 120_000
/** All of them, one after the other. */
const ROUND_TIMEOUT_MS = 3_600_000

/** Answers how many seconds it took. */
export async function testChannel({ id, model }: { id: number; model?: string | undefined }): Promise<number> {
  const answer = await callWhole('GET /api/channel/test/:id', {
    path: { id },
    query: { model },
    timeoutMs: UPSTREAM_TIMEOUT_MS,
  })
  return answer.time ?? 0
}

/** Starts it, and does not wait for its end. */
export const testAllChannels = () => call('GET /api/channel/test')

export async function updateBalance({ id }: Pick<Channel, 'id'>): Promise<number> {
  const answer = await callWhole('GET /api/channel/update_balance/:id', {
    path: { id },
    timeoutMs: UPSTREAM_TIMEOUT_MS,
  })
  return answer.balance ?? 0
}

export const updateAllBalances = () => call('GET /api/channel/update_balance', { timeoutMs: ROUND_TIMEOUT_MS })

export const deleteDisabledChannels = () => call('DELETE /api/channel/disabled')

/** Answers a number that counts the channels there are, and those that were wrong once more. */
export async function repairChannels(): Promise<number> {
  const count = await call('POST /api/channel/fix')
  return typeof count === 'number' ? count : count.channels + count.repaired
}

export const deleteChannels = (ids: number[]) => call('POST /api/channel/batch', { body: { ids } })

export const setStatusOfChannels = (body: { ids: number[]; status: number }) =>
  call('POST /api/channel/batch/status', { body })

export const tagChannels = (body: { ids: number[]; tag: string | null }) =>
  call('POST /api/channel/batch/tag', { body })

export const setTagStatus = ({ tag, status }: { tag: string; status: number }) =>
  status === CHANNEL_STATUS.enabled
    ? call('POST /api/channel/tag/enabled', { body: { tag } })
    : call('POST /api/channel/tag/disabled', { body: { tag } })

export const changeTag = (body: { tag: string; priority?: number; weight?: number }) =>
  call('PUT /api/channel/tag', { body })

/** Copies of a channel that may have names after it. */
const COPIES_MAX = 20

/** The same account once more. Where its copy is there already, the name gets a number. */
export async function copyChannel({ id, name }: { id: number; name: string }): Promise<Channel> {
  for (let copies = 1; ; copies++) {
    try {
      const body = { name: copies === 1 ? name : `${name} ${copies}` }
      return await call('POST /api/channel/:id/copy', { path: { id }, body })
    } catch (error) {
      if (codeOf(error) !== 'CHANNEL_NAME_TAKEN' || copies === COPIES_MAX) throw error
    }
  }
}

export const isMissingChannel = (error: unknown): boolean => codeOf(error) === 'CHANNEL_NOT_FOUND'

const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : '')
