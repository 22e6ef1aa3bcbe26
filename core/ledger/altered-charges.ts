import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'
import { LOG_TYPE, type Log } from '../logs/log.ts'
import { recomputePrice } from '../logs/receipt.ts'
import type { RowDifference } from './schema.ts'

const READ_AT_ONCE = 1000
const LISTED_MAX = 100

type Charged = Pick<Log, 'id' | 'type' | 'user_id' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'other'>

/** Returns at most 100 charges of these users whose quota differs from the price that their receipt recomputes. */
export async function findAlteredCharges(trx: Knex.Transaction, userIds: readonly number[]): Promise<RowDifference[]> {
  const differences: RowDifference[] = []
  for (const user_id of userIds) {
    for (let after = 0; ; ) {
      const rows: Charged[] = await trx('logs')
        .where({ user_id, type: LOG_TYPE.consumption })
        .whereNotNull('request_id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(READ_AT_ONCE)
        .select('id', 'type', 'user_id', 'quota', 'prompt_tokens', 'completion_tokens', 'other')
      for (const row of rows) {
        const { id, quota: found } = row
        const expected = priceOf(row)
        if (expected === undefined || expected === found) continue
        differences.push({ table: 'logs', id: String(id), what: 'quota of a charge', found, expected, user_id })
        if (differences.length >= LISTED_MAX) return differences
      }
      if (rows.length < READ_AT_ONCE) break
      after = Number(rows.at(-1)?.id)
    }
  }
  return differences
}

/** Returns the price that the row's receipt recomputes, or undefined if the row has no receipt. */
function priceOf(row: Charged): number | undefined {
  try {
    return recomputePrice(row).recomputed
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}
