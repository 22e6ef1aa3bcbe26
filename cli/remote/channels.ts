import { CHANNEL_STATUS, type Channel } from '../../core/channels/channel.ts'
import type { RejectedChannel } from '../../core/channels/create.ts'
import type { ChannelsHealth, OneChannelHealth } from '../../core/channels/health/schema.ts'
import { type ErrorKind, GatewayError, isErrorCode, type Params } from '../../core/errors.ts'
import { ServerError } from '../errors.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields, isNumber, listOf, pageOf } from './guards.ts'

export function remoteChannels(client: Client): CommandToolkit['channels'] {
  const putChannel = async (body: object) =>
    await client.read(hasFields<Channel>('id'), 'PUT', '/api/channel/', { query: { empty: 'clear' }, body })
  return {
    get: (_actor, id) => client.read(hasFields<Channel>('id'), 'GET', '/api/channel/:id', { params: { id } }),
    async list(_actor, { page, pageSize, newestFirst, byTag, ids, ...filter } = {}) {
      const view = { id_sort: newestFirst, tag_mode: byTag }
      const query = { ...filter, ...view, p: page, page_size: pageSize, ids: ids?.join(',') }
      return await client.read(pageOf<Channel>('id'), 'GET', '/api/channel/page', { query })
    },
    async search(_actor, { newestFirst, byTag, ...filter }) {
      const query = { ...filter, id_sort: newestFirst, tag_mode: byTag }
      return await client.read(listOf<Channel>('id'), 'GET', '/api/channel/search', { query })
    },
    create: (_actor, body) =>
      client.read(hasFields<Channel>('id'), 'POST', '/api/channel/', { query: { answer: 'record' }, body }),
    async createAll(_actor, channels, { checkOnly = false } = {}) {
      const query = { check: checkOnly || undefined }
      const guard = hasFields<{ created: Channel[]; refused: Refused[] }>('created', 'refused')
      const body = { channels }
      const { created, refused } = await client.read(guard, 'POST', '/api/channel/several', { query, body })
      return { created, refused: refused.map(errorOf) }
    },
    copy: (_actor, id, name) =>
      client.read(hasFields<Channel>('id'), 'POST', '/api/channel/:id/copy', { params: { id }, body: { name } }),
    update: (_actor, id, changes) => putChannel({ ...changes, id }),
    setStatus: (_actor, id, status) => putChannel({ id, status }),
    async setStatusOfMany(_actor, ids, status) {
      await client.call('POST', '/api/channel/batch/status', { body: { ids, status } })
    },
    async delete(_actor, id) {
      await client.call('DELETE', '/api/channel/:id', { params: { id } })
    },
    async deleteMany(_actor, ids) {
      await client.call('POST', '/api/channel/batch', { body: { ids } })
    },
    deleteDisabled: () => client.read(isNumber, 'DELETE', '/api/channel/disabled'),
    async setTagStatus(_actor, tag, status) {
      await client.call(
        'POST',
        status === CHANNEL_STATUS.enabled ? '/api/channel/tag/enabled' : '/api/channel/tag/disabled',
        { body: { tag } },
      )
    },
    async updateTag(_actor, tag, changes) {
      await client.call('PUT', '/api/channel/tag', { body: { tag, ...changes } })
    },
    async tagChannels(_actor, ids, tag) {
      await client.call('POST', '/api/channel/batch/tag', { body: { ids, tag } })
    },
    async repair() {
      const guard = hasFields<{ channels: number; repaired: number }>('channels', 'repaired')
      return await client.read(guard, 'POST', '/api/channel/fix', { query: { answer: 'record' } })
    },
    health: () => client.read(hasFields<ChannelsHealth>('circuits', 'disabled'), 'GET', '/api/channel/health'),
    healthOf: (_actor, id) =>
      client.read(hasFields<OneChannelHealth>('channel_id', 'circuits', 'events'), 'GET', '/api/channel/:id/health', {
        params: { id },
      }),
  }
}

interface Refused {
  at: number
  code: string
  kind: ErrorKind
  params: Params
  message: string
}

function errorOf({ at, code, kind, params, message }: Refused): RejectedChannel {
  return { at, error: isErrorCode(code) ? new GatewayError(code, params) : new ServerError(code, kind, message) }
}
