import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig, resolveSettings } from '../../core/config.ts'
import { openToolkit } from '../../core/toolkit.ts'
import { startGateway } from '../../server/gateway.ts'
import { type OpenApiDocument, readDocument } from '../support/api.ts'

/** Starts a gateway and returns the OpenAPI document that it serves. */
export async function servedDocument(): Promise<OpenApiDocument> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tollgate-generate-'))
  const databaseUrl = `sqlite:${join(dataFolder, 'tollgate.db')}`
  const flags = { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', DATABASE_URL: databaseUrl }
  try {
    const toolkit = await openToolkit({ databaseUrl, secret: undefined, dataFolder })
    const config = parseConfig(resolveSettings({ flags, environment: {}, file: {} }), 1)
    const gateway = await startGateway({ config, toolkit, hasJobs: false, consoleFiles: undefined })
    try {
      return await readDocument(gateway.url)
    } finally {
      await gateway.close()
      await toolkit.close()
    }
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}
