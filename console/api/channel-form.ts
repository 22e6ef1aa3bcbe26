import { currentLanguage } from '../language.ts'
import type { Body, Data } from './calls.ts'
import { call } from './client.ts'

/** One channel, as it is edited: its key is written, never read. */
export type EditedChannel = Data<'GET /api/channel/:id'>
export type NewChannel = Body<'POST /api/channel/'>
export type ChannelEdit = Body<'PUT /api/channel/'>
export type TagEdit = Body<'PUT /api/channel/tag'>
/** A kind of upstream: what its channels need, and what a new one serves. */
export type ChannelKind = Data<'GET /api/channel/types'>[number]

/** The key of the query that has the kinds: what they say in words is in the language shown. */
export const kindsKey = () => ['channel-kind', currentLanguage()] as const

export const listKinds = (signal: AbortSignal) => call('GET /api/channel/types', { signal })

export const getChannel = (id: number, signal: AbortSignal) => call('GET /api/channel/:id', { path: { id }, signal })

/** Makes one channel for each key, unless its settings say that they are all of one. */
export const createChannel = (body: NewChannel) => call('POST /api/channel/', { body })

/** Writes the fields that are there; empty ones are cleared, but for the key. */
export const updateChannel = (body: ChannelEdit) => call('PUT /api/channel/', { query: { empty: 'clear' }, body })

/** Writes the fields that are there, of all channels of a tag. */
export const updateTag = (body: TagEdit) => call('PUT /api/channel/tag', { body })

/** How many channels a tag has. */
export async function countTagged(tag: string, signal: AbortSignal): Promise<number> {
  const { total } = await call('GET /api/channel/page', { query: { tag, page_size: 1 }, signal })
  return total
}

/** The names of all groups. */
export const listGroupNames = (signal: AbortSignal) => call('GET /api/group/', { signal })

/** Every built-in model name, each once. */
export async function listBuiltInModels(signal: AbortSignal): Promise<string[]> {
  const models = await call('GET /api/channel/models', { signal })
  return [...new Set(models.map(({ id }) => id))]
}

/** What the upstream of a stored channel says that it has. */
export const fetchModelsOf = (id: number) => call('GET /api/channel/fetch_models/:id', { path: { id } })

/** What the upstream at an address says that it has. */
export const fetchModelsAt = (body: Body<'POST /api/channel/fetch_models'>) =>
  call('POST /api/channel/fetch_models', { body })
