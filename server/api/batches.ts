import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { BatchRecord, FileRecord } from '../../core/batches/schema.ts'
import { createBatchOperations } from '../relay/batches/operate.ts'
import { Envelope, ok, PageOf } from './envelope.ts'
import { IdParams, int32Field, PageFields, pagingOf, rangeFields, Text } from './fields.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

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
  const admin = describeRoutes('batch', 'admin')
  const user = describeRoutes('batch', 'user')

  const batches = { querystring: BatchQuery, reply: Envelope(PageOf(BatchRecord)) }
  app.get('/api/batch/', admin('Batches of all users, newest first', batches), async ({ actor, query }) =>
    ok(await batchRecords.pageOfBatches(actor, pagingOf(query))),
  )
  app.get('/api/batch/self', user("The user's own batches, newest first", batches), async ({ actor, query }) =>
    ok(await batchRecords.pageOfOwnBatches(actor, pagingOf(query))),
  )
  const batch = { params: IdParams, reply: Envelope(BatchRecord) }
  app.get('/api/batch/:id', admin('One batch', batch), async ({ actor, params }) =>
    ok(await batchRecords.getBatch(actor, params.id)),
  )
  const cancel = admin('Cancels a running batch at its upstream; served requests are still charged', batch)
  app.post('/api/batch/:id/cancel', cancel, async ({ actor, params }) =>
    ok(await operations.cancelBatch(actor, params.id)),
  )

  const files = { querystring: FileQuery, reply: Envelope(PageOf(FileRecord)) }
  app.get('/api/file/', admin('Files of all users at upstreams, newest first', files), async ({ actor, query }) =>
    ok(await batchRecords.pageOfFiles(actor, pagingOf(query))),
  )
  app.get('/api/file/self', user("The user's own files, newest first", files), async ({ actor, query }) =>
    ok(await batchRecords.pageOfOwnFiles(actor, pagingOf(query))),
  )
  const file = { params: IdParams, reply: Envelope(FileRecord) }
  app.get('/api/file/:id', admin('One file', file), async ({ actor, params }) =>
    ok(await batchRecords.getFile(actor, params.id)),
  )
  const remove = admin('Deletes a file at its upstream, and its record in the gateway', file)
  app.delete('/api/file/:id', remove, async ({ actor, params }) => ok(await operations.deleteFile(actor, params.id)))
}
