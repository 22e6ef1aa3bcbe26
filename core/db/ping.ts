import { GatewayError } from '../errors.ts'
import type { Database } from './database.ts'

const ANSWER_MS = 5000

/** Runs an empty query. Throws DATABASE_SILENT if it fails or takes too long. */
export async function ping({ reader }: Pick<Database, 'reader'>): Promise<void> {
  try {
    await reader.raw('SELECT 1').timeout(ANSWER_MS)
  } catch (cause) {
    throw new GatewayError('DATABASE_SILENT', {}, { cause })
  }
}
