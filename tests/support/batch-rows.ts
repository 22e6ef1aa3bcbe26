import { newBatchRow, type StoredBatch } from '../../core/batches/rows.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'

type Owned = Pick<StoredBatch, 'userId' | 'channelId' | 'batchId'>

/** Adds a batch like a relay. Returns the id of its row. */
export async function batchRow({ db }: Pick<LocalToolkit, 'db'>, batch: Owned & Partial<StoredBatch>): Promise<number> {
  const row = newBatchRow({
    memberId: 0,
    api: 'openai',
    tokenId: 0,
    keyDigest: '',
    requestId: `request of ${batch.batchId}`,
    endpoint: '/v1/chat/completions',
    model: 'gpt-4o',
    inputFileId: 'file-in',
    sentFileId: '',
    status: 'in_progress',
    body: JSON.stringify({ id: batch.batchId, status: 'in_progress' }),
    requestCount: 3,
    prices: { models: [] },
    quota: 50_000,
    submitter: '',
    idsDigest: '',
    createdAt: Date.UTC(2026, 0, 31) / 1000,
    expiresAt: Math.floor(Date.now() / 1000) + 24 * 3600,
    pollAt: Math.floor(Date.now() / 1000) + 24 * 3600,
    ...batch,
  })
  const [added] = await db.transaction((trx) => trx('batches').insert(row).returning('id'))
  return Number(added.id)
}

/** Adds an uploaded file like a relay. Returns the id of its row. */
export async function fileRow(
  { db, upstreamFiles }: Pick<LocalToolkit, 'db' | 'upstreamFiles'>,
  { fileId, ...file }: { fileId: string; userId: number; channelId: number; purpose?: string; batchRow?: number },
): Promise<number> {
  const body = JSON.stringify({ id: fileId, filename: 'input.jsonl', bytes: 120 })
  await upstreamFiles.add([{ memberId: 0, keyDigest: '', purpose: 'batch', batchRow: 0, ...file, fileId, body }])
  const row = await db.reader('upstream_files').where({ file_id: fileId }).first('id')
  return Number(row.id)
}
