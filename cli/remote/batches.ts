import type { BatchRecord, FileRecord } from '../../core/batches/schema.ts'
import type { Paging } from '../../core/input.ts'
import type { CommandBatches } from '../batches.ts'
import type { Client } from './client.ts'
import { hasFields, pageOf } from './guards.ts'

const batch = hasFields<BatchRecord>('id', 'batch_id', 'status')
const file = hasFields<FileRecord>('id', 'file_id', 'purpose')

export function remoteBatches(client: Client): CommandBatches {
  const queryOf = <T extends Paging>({ page, pageSize, ...filter }: T) => ({ ...filter, p: page, page_size: pageSize })
  return {
    pageOfBatches: (_actor, filter) =>
      client.read(pageOf<BatchRecord>('id', 'batch_id'), 'GET', '/api/batch/', { query: queryOf(filter) }),
    getBatch: (_actor, id) => client.read(batch, 'GET', '/api/batch/:id', { params: { id } }),
    cancelBatch: (_actor, id) => client.read(batch, 'POST', '/api/batch/:id/cancel', { params: { id } }),
    pageOfFiles: (_actor, filter) =>
      client.read(pageOf<FileRecord>('id', 'file_id'), 'GET', '/api/file/', { query: queryOf(filter) }),
    getFile: (_actor, id) => client.read(file, 'GET', '/api/file/:id', { params: { id } }),
    deleteFile: (_actor, id) => client.read(file, 'DELETE', '/api/file/:id', { params: { id } }),
  }
}
