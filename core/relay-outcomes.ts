import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Database } from './db/database.ts'
import { inShortBatches } from './db/short-batches.ts'
import { withinDatabaseWait } from './db/unavailable.ts'
import { GatewayError } from './errors.ts'
import { keyOf } from './idempotency.ts'
import type { Ledger } from './ledger/ledger.ts'

const KEPT_S = 24 * 3600
const STORE_AGAIN_MS = 5000

/** A stored reply. Its status is always 200, since others are not stored. */
export interface Outcome {
  readonly contentType: string
  readonly body: Buffer
}

/** A claimed idempotency key. Only the first call of `finish` or `release` has an effect. */
export interface RelayClaim {
  /** The id for the charge: that of the first relay with this key. */
  readonly requestId: string
  /** The relay was charged. Without an outcome, the key can be neither replayed nor reused. Waits five seconds at most. */
  finish(outcome?: Outcome): Promise<void>
  /** The next request with this key runs. `keepsId`: under the same request id, because the relay may have been charged. */
  release(options?: { keepsId?: boolean }): Promise<void>
}

export interface RelayAsk {
  userId: number
  /** The member whose key of a team it is: members share the account, but not their idempotency keys. Absent or 0: none. */
  memberId?: number
  key: string
  /** Digest of path and body, from `fingerprintOf`. */
  fingerprint: string
  requestId: string
}

/**
 * Relays with idempotency keys: the first request with a key runs, and those within the next 24 hours get its outcome. A database
 * row decides which request is first, across processes. If the process of a relay dies, the next request with the key runs again
 * under the first request id. The ledger charges a request id once, so both are one charge.
 */
export interface RelayOutcomes {
  /**
   * Claims a key, or returns its stored outcome. Throws IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_OTHER_BODY,
   * IDEMPOTENCY_KEY_RUNNING, IDEMPOTENCY_KEY_SPENT (the relay was charged, but its outcome is not stored) and DATABASE_UNAVAILABLE.
   */
  claim(ask: RelayAsk): Promise<RelayClaim | (Outcome & { requestId: string })>
  /** Deletes outcomes older than 24 hours. Returns their number. */
  trim(): Promise<number>
}

/** An epoch of no process, so that the next request may run. */
const NO_PROCESS = 'nobody'

interface ClaimedRow {
  requestId: string
  nodeId: string
  /** The process of the previous relay has died. */
  isRepeated: boolean
}
interface Row {
  fingerprint: string
  request_id: string
  node_id: string
  created_at: number
  content_type: string | null
  body: Buffer | null
}

export function createRelayOutcomes({
  db,
  ledger,
  now,
  onFailure,
}: {
  db: Database
  ledger: Pick<Ledger, 'nodeId' | 'heartbeat'>
  now: () => number
  onFailure: (error: unknown) => void
}): RelayOutcomes {
  /** Claims the row, or returns the row of another relay. `onWrite`: called before each COMMIT that may claim the row. */
  async function claimRow(ask: RelayAsk, keyHash: string, onWrite: () => void): Promise<Row | ClaimedRow> {
    if (ledger.nodeId === '') await ledger.heartbeat()
    const nodeId = ledger.nodeId
    const fresh = {
      fingerprint: ask.fingerprint,
      request_id: ask.requestId,
      node_id: nodeId,
      created_at: now(),
      content_type: null,
      body: null,
    }
    const place = { user_id: ask.userId, key_hash: keyHash }
    const toClaimed = (requestId: string, isRepeated: boolean): ClaimedRow => {
      onWrite()
      return { requestId, nodeId, isRepeated }
    }
    const claimed = await db.transaction(async (trx): Promise<Row | ClaimedRow | undefined> => {
      const inserted = await trx('relay_outcomes')
        .insert({ ...place, ...fresh })
        .onConflict(['user_id', 'key_hash'])
        .ignore()
        .returning('request_id')
      if (inserted.length > 0) return toClaimed(ask.requestId, false)
      const row: Row | undefined = await trx('relay_outcomes').where(place).forUpdate().first()
      if (!row) return undefined
      if (row.created_at <= now() - KEPT_S) {
        await trx('relay_outcomes').where(place).update(fresh)
        return toClaimed(ask.requestId, false)
      }
      if (row.fingerprint !== ask.fingerprint || row.node_id === '' || (await isRunning(trx, row.node_id))) return row
      await trx('relay_outcomes').where(place).update({ node_id: nodeId })
      return toClaimed(row.request_id, true)
    })
    // The other relay was released meanwhile, so the key is free.
    return claimed ?? claimRow(ask, keyHash, onWrite)
  }

  const isRunning = async (trx: Knex.Transaction, nodeId: string): Promise<boolean> =>
    (await trx('nodes').where({ id: nodeId }).first('id')) !== undefined

  /** Number of this process's relays per key, by `placeOf`. */
  const running = new Map<string, number>()
  const placeOf = (userId: number, keyHash: string) => `${userId} ${keyHash}`
  function count(place: string, change: 1 | -1): void {
    const left = (running.get(place) ?? 0) + change
    if (left > 0) running.set(place, left)
    else running.delete(place)
  }

  /**
   * Removes a claim whose client was rejected while the write's outcome was unknown: no relay would ever end the row. Other relays
   * of this process with the same key end it themselves.
   */
  async function withdraw({ userId, requestId }: RelayAsk, keyHash: string): Promise<void> {
    const row = { user_id: userId, key_hash: keyHash }
    await writeEnd(() =>
      db.transaction(async (trx) => {
        const known: Row | undefined = await trx('relay_outcomes').where(row).forUpdate().first()
        if (known?.node_id !== ledger.nodeId || running.has(placeOf(userId, keyHash))) return
        if (known.request_id === requestId) await trx('relay_outcomes').where(row).delete()
        else await trx('relay_outcomes').where(row).update({ node_id: NO_PROCESS })
      }),
    )
  }

  /** Claims the row. Withdraws claims that are late or whose outcome is unknown. */
  async function claimWithTimeout(ask: RelayAsk, keyHash: string): Promise<Row | ClaimedRow> {
    let mayBeWritten = false
    const claiming = claimRow(ask, keyHash, () => {
      mayBeWritten = true
    })
    try {
      return await withinDatabaseWait(claiming)
    } catch (error) {
      void claiming
        .catch(() => {}) // The client already has the error.
        .then(() => (mayBeWritten ? withdraw(ask, keyHash) : undefined))
      throw error
    }
  }

  /** Writes the end of a relay, and retries while the database is unavailable: until then the key is rejected. */
  async function writeEnd(write: () => Promise<unknown>): Promise<void> {
    const writing: Promise<void> = write().then(
      () => {},
      async (error) => {
        onFailure(error)
        await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS).unref())
        return writeEnd(write)
      },
    )
    await withinDatabaseWait(writing).catch(() => {}) // Continues in the background; the client does not wait.
  }

  return {
    async claim(ask) {
      const key = keyOf(ask.key)
      const keyHash = sha256(ask.memberId ? `${ask.memberId} ${key}` : key)
      const claimed = await claimWithTimeout(ask, keyHash)
      if ('request_id' in claimed) return known(claimed, ask)
      const { requestId, nodeId, isRepeated } = claimed
      const place = placeOf(ask.userId, keyHash)
      count(place, 1)
      const claimKey = { user_id: ask.userId, key_hash: keyHash, request_id: requestId, node_id: nodeId }
      let hasEnded = false
      const change = async (work: (row: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<void> => {
        if (hasEnded) return
        hasEnded = true
        await writeEnd(async () => {
          await db.transaction((trx) => work(trx('relay_outcomes').where(claimKey)))
          count(place, -1)
        })
      }
      return {
        requestId,
        finish: (outcome) =>
          change((row) =>
            row.update({ node_id: '', content_type: outcome?.contentType ?? null, body: outcome?.body ?? null }),
          ),
        // The dead process may have charged the relay, so its id must be kept.
        release: ({ keepsId = isRepeated } = {}) =>
          change((row) => (isRepeated || keepsId ? row.update({ node_id: NO_PROCESS }) : row.delete())),
      }
    },
    trim: () =>
      inShortBatches((rowsMax) =>
        db.transaction((trx) =>
          trx('relay_outcomes')
            .whereIn(
              ['user_id', 'key_hash'],
              trx('relay_outcomes')
                .where('created_at', '<=', now() - KEPT_S)
                .limit(rowsMax)
                .select('user_id', 'key_hash'),
            )
            .delete(),
        ),
      ),
  }
}

function known(row: Row, { fingerprint }: RelayAsk): Outcome & { requestId: string } {
  if (row.fingerprint !== fingerprint) throw new GatewayError('IDEMPOTENCY_KEY_OTHER_BODY')
  if (row.node_id !== '') throw new GatewayError('IDEMPOTENCY_KEY_RUNNING')
  if (row.content_type === null || row.body === null) throw new GatewayError('IDEMPOTENCY_KEY_SPENT')
  return { contentType: row.content_type, body: row.body, requestId: row.request_id }
}

/** Returns the digest that identifies equal requests. */
export function fingerprintOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  // Includes lengths, so that moving bytes between parts changes the digest.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest('hex')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
