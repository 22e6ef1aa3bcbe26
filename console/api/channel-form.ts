import { currentLanguage } from '../language.ts'
import type { Data, RequestBody } from './calls.ts'
import { call } from './client.ts'

/** A channel for the edit form. The server never returns the channel's key. */
export type EditedChannel = Data<'GET /api/channel/:id'>
export type ChannelCreateRequest = RequestBody<'POST /api/channel/'>
export type ChannelEdit = RequestBody<'PUT /api/channel/'>
export type TagEdit = RequestBody<'PUT /api/channel/tag'>
/** A channel type, with the fields that its channels need and its default models. */
export type ChannelType = Data<'GET /api/channel/types'>[number]

/** Returns the query key of the channel types. This key contains the language, because the types have texts. */
export const kindsKey = () => ['channel-kind', currentLanguage()] as const

export const listKinds = (signal: AbortSignal) => call('GET /api/channel/types', { signal })

export const getChannel = (id: number, signal: AbortSignal) => call('GET /api/channel/:id', { path: { id }, signal })

/** Creates one channel per key, unless the settings keep all keys in one channel. */
export const createChannel = (body: ChannelCreateRequest) => call('POST /api/channel/', { body })

/** Updates the fields in `body`. An empty field clears the stored value, but an empty `key` keeps the stored key. */
export const updateChannel = (body: ChannelEdit) => call('PUT /api/channel/', { query: { empty: 'clear' }, body })

/** Updates the fields in `body` on all channels of a tag. */
export const updateTag = (body: TagEdit) => call('PUT /api/channel/tag', { body })

/** Returns the number of channels with a tag. */
export async function countTagged(tag: string, signal: AbortSignal): Promise<number> {
  const { total } = await call('GET /api/channel/page', { query: { tag, page_size: 1 }, signal })
  return total
}

/** Returns all built-in model names, without duplicates. */
export async function listBuiltInModels(signal: AbortSignal): Promise<string[]> {
  const models = await call('GET /api/channel/models', { signal })
  return [...new Set(models.map(({ id }) => id))]
}

/** Returns the models that the upstream of a stored channel lists for the stored key. */
export const fetchModelsOf = (id: number) => call('GET /api/channel/fetch_models/:id', { path: { id } })

/** Returns the models that the upstream at a base URL lists, for the given key. */
export const fetchModelsAt = (body: RequestBody<'POST /api/channel/fetch_models'>) =>
  call('POST /api/channel/fetch_models', { body })
