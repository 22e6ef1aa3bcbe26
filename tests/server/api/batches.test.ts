import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { openApi } from '../../support/api.ts'
import { batchRow, fileRow } from '../../support/batch-rows.ts'
import { openTestToolkit } from '../../support/toolkit.ts'
import { inputOf, openBatches, poller, request } from '../relay/batches/fixture.ts'

/** A batch and its input, of a customer, and an administrator. */
async function open() {
  const fixture = await openBatches(await openTestToolkit())
  const fileId = await fixture.upload(inputOf(request('a')))
  const { body } = await fixture.create(fileId)
  const api = openApi(fixture)
  const admin = await api.as(await fixture.user({ role: ROLE.admin }))
  const dataOf = async (path: string) => (await admin.get(path)).body.data
  const [batch] = (await dataOf('/api/batch/')).items
  const [file] = (await dataOf('/api/file/')).items
  return { ...fixture, fileId, batchId: String(body.id), api, admin, dataOf, batch, file }
}

const errorOf = ({ headers }: { headers: Headers }) =>
  JSON.parse(decodeURIComponent(headers.get('tollgate-error') ?? '{}'))

describe('GET /api/batch/', () => {
  test('lists batches of all users with their names, and filters them', async () => {
    const { dataOf, batchId, fileId, person, servedBy, bought, batch } = await open()
    expect(batch).toMatchObject({
      batch_id: batchId,
      api: 'openai',
      username: person.username,
      token_name: bought.name,
      channel_name: servedBy.name,
      input_file_id: fileId,
      status: 'validating',
      request_count: 1,
      settled_at: 0,
    })
    const count = async (query: string) => (await dataOf(`/api/batch/?${query}`)).total
    for (const [query, total] of [
      [`user_id=${person.id}&channel_id=${servedBy.id}&status=validating&api=openai&batch_id=${batchId}`, 1],
      ['user_id=99999', 0],
      ['channel_id=99999', 0],
      ['status=completed', 0],
      ['api=anthropic', 0],
      ['batch_id=other', 0],
      [`start_timestamp=${batch.created_at}&end_timestamp=${batch.created_at}`, 1],
      [`start_timestamp=${batch.created_at + 1}`, 0],
      [`end_timestamp=${batch.created_at - 1}`, 0],
      ['p=2&page_size=1', 1],
    ] as const) {
      expect(await count(query), query).toBe(total)
    }
  })
})

describe('GET /api/batch/self', () => {
  test('lists the own batches only, without channels, for any role and filter', async () => {
    const { api, person, user, batch, batchId, servedBy, toolkit } = await open()
    const others = await user({ role: ROLE.admin })
    await batchRow(toolkit, { userId: others.id, channelId: servedBy.id, batchId: 'batch-of-others' })
    const idsOf = async (as: typeof person, query = '') => {
      const { items, total } = (await (await api.as(as)).get(`/api/batch/self?${query}`)).body.data
      expect(total).toBe(items.length)
      return items.map((one: { batch_id: string }) => one.batch_id)
    }
    expect(await idsOf(person)).toEqual([batchId])
    expect(await idsOf(others)).toEqual(['batch-of-others'])
    expect(await idsOf(await user())).toEqual([])
    expect(await idsOf(person, `user_id=${others.id}&channel_id=99999`)).toEqual([batchId])
    expect(await idsOf(person, 'status=completed')).toEqual([])
    const { items } = (await (await api.as(person)).get('/api/batch/self')).body.data
    expect(items).toEqual([{ ...batch, channel_id: 0, channel_name: '' }])
    expect((await api.anonymous().get('/api/batch/self')).status).toBe(401)
  })
})

describe('GET /api/batch/:id', () => {
  test('returns one batch, or says that there is none', async () => {
    const { admin, dataOf, batch } = await open()
    expect(await dataOf(`/api/batch/${batch.id}`)).toEqual(batch)
    expect(errorOf(await admin.get('/api/batch/999'))).toMatchObject({ code: 'BATCH_NOT_FOUND' })
  })
})

describe('POST /api/batch/:id/cancel', () => {
  test('cancels a running batch at its upstream, and no other', async () => {
    const fixture = await open()
    const { admin, batch, batchId, upstream, toolkit } = fixture
    const cancel = async (id = batch.id) => admin.post(`/api/batch/${id}/cancel`)

    upstream.script.push({ path: /cancel$/, answer: ({ response }) => response.writeHead(500).end('{}') })
    expect(errorOf(await cancel())).toMatchObject({ code: 'UPSTREAM_REFUSED' })
    expect((await cancel()).body.data).toMatchObject({ id: batch.id, status: 'cancelling' })
    expect(upstream.batches.get(batchId)?.status).toBe('cancelling')
    upstream.end(batchId, () => undefined, 'cancelled')
    await (await poller(fixture))()

    expect(errorOf(await cancel())).toMatchObject({ code: 'BATCH_ENDED' })
    expect(errorOf(await cancel(999))).toMatchObject({ code: 'BATCH_NOT_FOUND' })
    await toolkit.db.transaction((trx) => trx('batches').update({ status: 'submitting', settled_at: 0 }))
    expect(errorOf(await cancel())).toMatchObject({ code: 'BATCH_SUBMITTING' })
    await toolkit.db.transaction((trx) => trx('batches').update({ status: 'validating', channel_id: 999 }))
    expect(errorOf(await cancel())).toMatchObject({ code: 'BATCH_CHANNEL_GONE' })
  })
})

describe('GET /api/file/', () => {
  test('lists files of all users with their names, without those that the gateway wrote', async () => {
    const { dataOf, fileId, file, person, servedBy, batch, batchId, toolkit } = await open()
    expect((await dataOf('/api/file/')).total).toBe(1)
    expect(file).toMatchObject({
      file_id: fileId,
      username: person.username,
      channel_name: servedBy.name,
      purpose: 'batch',
      filename: 'input.jsonl',
      batch_id: '',
    })
    expect(file.bytes).toBeGreaterThan(0)
    const owner = { userId: person.id, channelId: servedBy.id }
    await fileRow(toolkit, { ...owner, fileId: 'file-out', purpose: 'batch_output', batchRow: batch.id })
    const idsOf = async (query: string) =>
      (await dataOf(`/api/file/?${query}`)).items.map((one: { file_id: string }) => one.file_id)
    expect(await idsOf('')).toEqual(['file-out', fileId])
    expect(await idsOf('purpose=batch_output')).toEqual(['file-out'])
    expect(await idsOf(`file_id=${fileId}&user_id=${person.id}`)).toEqual([fileId])
    expect(await idsOf('user_id=99999')).toEqual([])
    expect((await dataOf('/api/file/?purpose=batch_output')).items).toMatchObject([{ batch_id: batchId }])
  })
})

describe('GET /api/file/self', () => {
  test('lists the own files only, without channels and what the gateway wrote', async () => {
    const { api, person, user, file, fileId, servedBy, toolkit } = await open()
    const others = await user({ role: ROLE.admin })
    await fileRow(toolkit, { userId: others.id, channelId: servedBy.id, fileId: 'file-of-others' })
    const dataFor = async (as: typeof person, query = '') =>
      (await (await api.as(as)).get(`/api/file/self?${query}`)).body.data
    expect(await dataFor(person)).toMatchObject({ items: [{ ...file, channel_id: 0, channel_name: '' }], total: 1 })
    expect((await dataFor(others, `user_id=${person.id}`)).items).toMatchObject([{ file_id: 'file-of-others' }])
    expect((await dataFor(person, 'purpose=batch_output')).items).toEqual([])
    expect((await dataFor(person, `file_id=${fileId}`)).total).toBe(1)
    expect((await dataFor(await user())).items).toEqual([])
  })
})

describe('GET /api/file/:id', () => {
  test('returns one file, or says that there is none', async () => {
    const { admin, dataOf, file, toolkit } = await open()
    expect(await dataOf(`/api/file/${file.id}`)).toEqual(file)
    expect(errorOf(await admin.get('/api/file/999'))).toMatchObject({ code: 'FILE_NOT_FOUND' })
    const sent = await toolkit.db.reader('upstream_files').where({ user_id: 0 }).first('id')
    expect(errorOf(await admin.get(`/api/file/${sent.id}`))).toMatchObject({ code: 'FILE_NOT_FOUND' })
  })
})

describe('DELETE /api/file/:id', () => {
  test('deletes a file at its upstream and here, and keeps results that were not read', async () => {
    const fixture = await open()
    const { admin, file, fileId, upstream, batchId, call, dataOf } = fixture
    expect((await admin.delete(`/api/file/${file.id}`)).body.data).toEqual(file)
    expect(upstream.files.has(fileId)).toBe(false)
    expect(await call('GET', `/v1/files/${fileId}`)).toMatchObject({ status: 404 })
    expect(errorOf(await admin.delete(`/api/file/${file.id}`))).toMatchObject({ code: 'FILE_NOT_FOUND' })

    upstream.end(batchId, () => ({ status: 200, body: { choices: [] } }))
    await call('GET', `/v1/batches/${batchId}`)
    const [output] = (await dataOf('/api/file/?purpose=batch_output')).items
    upstream.script.push({ path: /content$/, answer: ({ response }) => response.writeHead(500).end('{}') })
    expect(errorOf(await admin.delete(`/api/file/${output.id}`))).toMatchObject({ code: 'UPSTREAM_REFUSED' })
    expect((await admin.delete(`/api/file/${output.id}`)).status).toBe(200)
    expect((await dataOf(`/api/batch/?batch_id=${batchId}`)).items).toMatchObject([{ outcome: 'results' }])
  })
})
