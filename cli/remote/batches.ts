import type { Paging } from '../../core/input.ts'
import type { CommandBatches } from '../batches.ts'
import type { Client } from './client.ts'

export function remoteBatches(client: Client): CommandBatches {
  const queryOf = <T extends Paging>({ page, pageSize, ...filter }: T) => ({ ...filter, p: page, page_size: pageSize })
  return {
    pageOfBatches: (_actor, filter) => client.read('GET /api/batch/', { query: queryOf(filter) }),
    getBatch: (_actor, id) => client.read('GET /api/batch/:id', { path: { id } }),
    cancelBatch: (_actor, id) => client.read('POST /api/batch/:id/cancel', { path: { id } }),
    pageOfFiles: (_actor, filter) => client.read('GET /api/file/', { query: queryOf(filter) }),
    getFile: (_actor, id) => client.read('GET /api/file/:id', { path: { id } }),
    deleteFile: (_actor, id) => client.read('DELETE /api/file/:id', { path: { id } }),
  }
}
