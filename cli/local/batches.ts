import type { LocalToolkit } from '../../core/toolkit.ts'
import type { BatchOperations } from '../../server/relay/batches/operate.ts'
import type { CommandBatches } from '../batches.ts'

const NO_MEDIA = { bytesMax: 0, allowHosts: [] }
const IDLE_TIMEOUT_MS = 60_000

/** Returns batch operations that call upstreams from this process. No gateway needs to run. */
export function localBatches(toolkit: LocalToolkit): CommandBatches {
  async function operate<T>(work: (operations: BatchOperations) => Promise<T>): Promise<T> {
    const [{ pino }, { createBatchOperations }, { createOutboundClients }] = await Promise.all([
      import('pino'),
      import('../../server/relay/batches/operate.ts'),
      import('../../server/relay/transport/outbound-clients.ts'),
    ])
    const { options } = toolkit
    const links = createOutboundClients({ idleTimeoutMs: IDLE_TIMEOUT_MS, media: NO_MEDIA, options })
    try {
      const directory = await toolkit.channelDirectory()
      return await work(createBatchOperations({ toolkit, directory, links, logger: pino({ level: 'silent' }) }))
    } finally {
      await links.close()
    }
  }
  return {
    ...toolkit.batchRecords,
    cancelBatch: (actor, id) => operate((operations) => operations.cancelBatch(actor, id)),
    deleteFile: (actor, id) => operate((operations) => operations.deleteFile(actor, id)),
  }
}
