import type { Knex } from 'knex'
import { GatewayError } from '../errors.ts'
import { LOG_TYPE, type Log } from '../logs/log.ts'
import { recomputePrice } from '../logs/receipt.ts'
import type { RowDifference } from './sums.ts'

/** Name of the difference for a log row whose quota is not the price of its recorded usage. */
const ALTERED_CHARGE = 'quota of a charge'

const READ_AT_ONCE = 1000
const LISTED_MAX = 100

type Charged = Pick<Log, 'id' | 'type' | 'user_id' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'other'>

/** Returns at most 100 log rows of these users whose charge differs from the price that the receipt recomputes. */
export async function findAlteredCharges(trx: Knex.Transaction, userIds: readonly number[]): Promise<RowDifference[]> {
  const differences: RowDifference[] = []
  for (const user_id of new Set(userIds)) {
    for (let after = 0; ; ) {
      const rows: Charged[] = await trx('logs')
        .where({ user_id, type: LOG_TYPE.consumption })
        .whereNotNull('request_id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(READ_AT_ONCE)
        .select('id', 'type', 'user_id', 'quota', 'prompt_tokens', 'completion_tokens', 'other')
      for (const row of rows) {
        const expected = priceOf(row)
        if (expected === undefined || expected === row.quota) continue
        differences.push({
          table: 'logs',
          id: String(row.id),
          what: ALTERED_CHARGE,
          found: row.quota,
          expected,
          user_id,
        })
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
