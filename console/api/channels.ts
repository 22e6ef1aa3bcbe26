import type { Data } from './calls.ts'
import { ApiError, call, callWhole } from './client.ts'
import { type ListPage, type ListSort, sortQuery } from './list-page.ts'

/** An upstream account. The server never returns the account's key. */
export type Channel = Data<'GET /api/channel/page'>['items'][number]
/** A circuit, which blocks requests to a channel for a while. */
export type CircuitStatus = Data<'GET /api/channel/health'>['circuits'][number]
/** The activity of a channel in the last 24 hours. */
export type ChannelActivity = Data<'GET /api/channel/activity'>[number]
export type ChannelHealthReport = Data<'GET /api/channel/:id/health'>

export const CHANNEL_STATUS = { enabled: 1, disabled: 2, autoDisabled: 3 } as const
export const PRIORITY_MIN = -999
export const WEIGHT_MIN = 0
/** Upper limit of priorities and weights. */
export const WHOLE_MAX = 2 ** 31 - 1

const SORTS = [
  'id',
  'name',
  'type',
  'status',
  'response_time',
  'used_quota',
  'balance',
  'priority',
  'weight',
  'tag',
  'created_time',
] as const

interface ChannelQuery extends ListPage, ListSort {
  /** Part of a name, or an id. */
  keyword: string
  group: string
  /** A complete model name. */
  model: string
  /** The status number as text, as in the URL; empty for any. `type` has the same format. */
  status: string
  type: string
  tag: string
  newestFirst: boolean
  /** True: pages contain tags, each tag with all of its channels. */
  byTag: boolean
}

export function listChannels(
  { page, pageSize, newestFirst, byTag, status, type, sort, order, ...filters }: ChannelQuery,
  signal?: AbortSignal,
) {
  const numbers = { status: numberIn(status), type: numberIn(type) }
  const view = { id_sort: newestFirst, tag_mode: byTag, p: page, page_size: pageSize }
  const query = { ...filters, ...numbers, ...view, ...sortQuery(SORTS, { sort, order }) }
  return call('GET /api/channel/page', { query, signal })
}

/** Parses a number from the URL. Returns undefined (no filter) if the text is not a number. */
const numberIn = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)

export const getCircuits = async (signal: AbortSignal) => (await call('GET /api/channel/health', { signal })).circuits

export const getActivity = (signal: AbortSignal) => call('GET /api/channel/activity', { signal })

export const getHealth = (id: number, signal: AbortSignal) =>
  call('GET /api/channel/:id/health', { path: { id }, signal })

export const changeChannel = (body: { id: number; status?: number; priority?: number; weight?: number }) =>
  call('PUT /api/channel/', { body })

export const deleteChannel = ({ id }: Pick<Channel, 'id'>) => call('DELETE /api/channel/:id', { path: { id } })

/** Time limit of calls that wait for an upstream, which can be slow. */
const UPSTREAM_TIMEOUT_MS = 120_000
/** Time limit of calls that query the upstreams of all channels, one after the other. */
const ROUND_TIMEOUT_MS = 3_600_000

/** Tests a channel. Returns the duration of the test in seconds. */
export async function testChannel({ id, model }: { id: number; model?: string | undefined }): Promise<number> {
  const reply = await callWhole('GET /api/channel/test/:id', {
    path: { id },
    query: { model },
    timeoutMs: UPSTREAM_TIMEOUT_MS,
  })
  return reply.time ?? 0
}

/** Starts the tests of all channels. Does not wait for the results. */
export const testAllChannels = () => call('GET /api/channel/test')

export async function updateBalance({ id }: Pick<Channel, 'id'>): Promise<number> {
  const reply = await callWhole('GET /api/channel/update_balance/:id', { path: { id }, timeoutMs: UPSTREAM_TIMEOUT_MS })
  return reply.balance ?? 0
}

export const updateAllBalances = () => call('GET /api/channel/update_balance', { timeoutMs: ROUND_TIMEOUT_MS })

export const deleteDisabledChannels = () => call('DELETE /api/channel/disabled')

/** Repairs the abilities of all channels. Returns the numbers of checked and repaired channels. */
export async function repairChannels(): Promise<{ channels: number; repaired: number }> {
  const result = await call('POST /api/channel/fix', { query: { answer: 'record' } })
  return typeof result === 'number' ? { channels: result, repaired: 0 } : result
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

/** Maximum number of names to try for a copy. */
const COPIES_MAX = 20

/** Copies a channel. If the name is in use, appends a number to the name. Throws CHANNEL_NAME_TAKEN after 20 names. */
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
