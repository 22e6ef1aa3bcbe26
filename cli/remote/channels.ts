import type { Data } from '../../core/api/calls.ts'
import { CHANNEL_STATUS, type ChannelChanges } from '../../core/channels/channel.ts'
import type { RejectedChannel } from '../../core/channels/create.ts'
import { GatewayError, isErrorCode } from '../../core/errors.ts'
import { ServerError } from '../errors.ts'
import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'
import { hasFields } from './guards.ts'

export function remoteChannels(client: Client): CommandToolkit['channels'] {
  const putChannel = async (body: ChannelChanges & { id: number }) =>
    await client.read('PUT /api/channel/', { query: { empty: 'clear' }, body })
  return {
    get: (_actor, id) => client.read('GET /api/channel/:id', { path: { id } }),
    async list(_actor, { page, pageSize, newestFirst, byTag, ids, ...filter } = {}) {
      const view = { id_sort: newestFirst, tag_mode: byTag }
      const query = { ...filter, ...view, p: page, page_size: pageSize, ids: ids?.join(',') }
      return await client.read('GET /api/channel/page', { query })
    },
    async search(_actor, { newestFirst, byTag, ...filter }) {
      const query = { ...filter, id_sort: newestFirst, tag_mode: byTag }
      return await client.read('GET /api/channel/search', { query })
    },
    create: (_actor, body) => client.read('POST /api/channel/', { query: { answer: 'record' }, body }),
    async createAll(_actor, channels, { checkOnly = false } = {}) {
      const query = { check: checkOnly || undefined }
      const body = { channels }
      const { created, refused } = await client.read('POST /api/channel/several', { query, body })
      return { created, refused: refused.map(errorOf) }
    },
    copy: (_actor, id, name) => client.read('POST /api/channel/:id/copy', { path: { id }, body: { name } }),
    update: (_actor, id, changes) => putChannel({ ...changes, id }),
    setStatus: (_actor, id, status) => putChannel({ id, status }),
    async setStatusOfMany(_actor, ids, status) {
      await client.call('POST /api/channel/batch/status', { body: { ids, status } })
    },
    async delete(_actor, id) {
      await client.call('DELETE /api/channel/:id', { path: { id } })
    },
    async deleteMany(_actor, ids) {
      await client.call('POST /api/channel/batch', { body: { ids } })
    },
    deleteDisabled: () => client.read('DELETE /api/channel/disabled'),
    async setTagStatus(_actor, tag, status) {
      const state = status === CHANNEL_STATUS.enabled ? 'enabled' : 'disabled'
      await client.call(`POST /api/channel/tag/${state}`, { body: { tag } })
    },
    async updateTag(_actor, tag, changes) {
      await client.call('PUT /api/channel/tag', { body: { tag, ...changes } })
    },
    async tagChannels(_actor, ids, tag) {
      await client.call('POST /api/channel/batch/tag', { body: { ids, tag } })
    },
    async repair() {
      const call = 'POST /api/channel/fix'
      const { data } = await client.ask(call, { query: { answer: 'record' } })
      // Without `answer`, the reply is a number, so the API's description allows both.
      return await client.checked(hasFields<{ channels: number; repaired: number }>('channels', 'repaired'), data, call)
    },
    health: () => client.read('GET /api/channel/health'),
    healthOf: (_actor, id) => client.read('GET /api/channel/:id/health', { path: { id } }),
  }
}

type Refused = Data<'POST /api/channel/several'>['refused'][number]

function errorOf({ at, code, kind, params, message }: Refused): RejectedChannel {
  return { at, error: isErrorCode(code) ? new GatewayError(code, params) : new ServerError(code, kind, message) }
}
