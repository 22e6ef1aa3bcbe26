import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { BatchRecord, FileRecord } from '../../core/batches/schema.ts'
import { createBatchOperations } from '../relay/batches/operate.ts'
import { Envelope, ok, PageOf } from './envelope.ts'
import { IdParams, int32Field, PageFields, pagingOf, rangeFields, Text } from './fields.ts'
import type { ApiParts } from './parts.ts'

const filter = {
  ...PageFields,
  user_id: int32Field('for administrators'),
  channel_id: int32Field('for administrators'),
  ...rangeFields('seconds'),
}
const BatchQuery = Type.Object({
  ...filter,
  batch_id: Type.Optional(Text),
  api: Type.Optional(Text),
  status: Type.Optional(Text),
})
const FileQuery = Type.Object({ ...filter, file_id: Type.Optional(Text), purpose: Type.Optional(Text) })

/** Routes of batches and of files at upstreams. Users see only their own batches and files, administrators see all. */
export const batchRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, parts) => {
  const { batchRecords } = parts.toolkit
  const operations = createBatchOperations(parts)
  const config = { access: 'admin' } as const
  const ownAccess = { access: 'user' } as const
  const tags = ['batch']
  const batch = { tags, params: IdParams, response: { 200: Envelope(BatchRecord) } }
  const file = { tags, params: IdParams, response: { 200: Envelope(FileRecord) } }

  const batches = {
    tags,
    summary: 'Batches of all users, newest first',
    querystring: BatchQuery,
    response: { 200: Envelope(PageOf(BatchRecord)) },
  }
  app.get('/api/batch/', { config, schema: batches }, async ({ actor, query }) =>
    ok(await batchRecords.pageOfBatches(actor, pagingOf(query))),
  )
  const ownBatches = { ...batches, summary: "The user's own batches, newest first" }
  app.get('/api/batch/self', { config: ownAccess, schema: ownBatches }, async ({ actor, query }) =>
    ok(await batchRecords.pageOfOwnBatches(actor, pagingOf(query))),
  )
  app.get('/api/batch/:id', { config, schema: { ...batch, summary: 'One batch' } }, async ({ actor, params }) =>
    ok(await batchRecords.getBatch(actor, params.id)),
  )
  const cancel = {
    ...batch,
    summary: 'Cancels a running batch at its upstream; served requests are still charged',
  }
  app.post('/api/batch/:id/cancel', { config, schema: cancel }, async ({ actor, params }) =>
    ok(await operations.cancelBatch(actor, params.id)),
  )

  const files = {
    tags,
    summary: 'Files of all users at upstreams, newest first',
    querystring: FileQuery,
    response: { 200: Envelope(PageOf(FileRecord)) },
  }
  app.get('/api/file/', { config, schema: files }, async ({ actor, query }) =>
    ok(await batchRecords.pageOfFiles(actor, pagingOf(query))),
  )
  const ownFiles = { ...files, summary: "The user's own files, newest first" }
  app.get('/api/file/self', { config: ownAccess, schema: ownFiles }, async ({ actor, query }) =>
    ok(await batchRecords.pageOfOwnFiles(actor, pagingOf(query))),
  )
  app.get('/api/file/:id', { config, schema: { ...file, summary: 'One file' } }, async ({ actor, params }) =>
    ok(await batchRecords.getFile(actor, params.id)),
  )
  const remove = { ...file, summary: 'Deletes a file at its upstream, and its record in the gateway' }
  app.delete('/api/file/:id', { config, schema: remove }, async ({ actor, params }) =>
    ok(await operations.deleteFile(actor, params.id)),
  )
}
