import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Database } from './db/database.ts'
import { withinDatabaseWait } from './db/unavailable.ts'
import { deleteExpired } from './delete-expired.ts'
import { GatewayError } from './errors.ts'
import { idempotencyKeyOf } from './idempotency.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Rows } from './tables/rows.ts'

const STORAGE_S = 24 * 3600
const STORE_AGAIN_MS = 5000

/** A stored reply. It has no status field, because only replies with status 200 are stored. */
export interface StoredReply {
  readonly contentType: string
  readonly body: Buffer
}

/** The right to run a relay with an idempotency key. Only the first call of `finish` or `release` has an effect. */
export interface RelayClaim {
  /** The id of the first request with this key, under which the ledger charges the relay. */
  readonly requestId: string
  /** Ends a charged relay and stores its outcome. Without an outcome, later requests with the key are rejected. */
  finish(outcome?: StoredReply): Promise<void>
  /**
   * Ends a relay without an outcome, so that the next request with this key runs. With `keepsId`, that request runs
   * under the same request id, because this relay may have been charged.
   */
  release(options?: { keepsId?: boolean }): Promise<void>
}

interface KeyedRequest {
  userId: number
  /** Id of the request's team member. Absent or 0 if there is none. Members of a team do not share idempotency keys. */
  memberId?: number
  /** The idempotency key, as sent by the client. */
  key: string
  /** Digest of the path and the body, from `fingerprintOf`. */
  fingerprint: string
  requestId: string
}

/**
 * Stores the outcomes of relays with idempotency keys. The first request with a key runs, and later requests within 24
 * hours get its outcome. A database row decides across processes which request is first.
 *
 * If the process of a relay dies, the next request with the key runs under the first request id. The ledger charges
 * each request id once, so the two relays cost one charge.
 */
export type RelayOutcomes = ReturnType<typeof createRelayOutcomes>

/** The value of `node_id` if no process runs the relay. The next request with the key may then run. */
const NO_PROCESS = 'nobody'

interface ClaimedRow {
  requestId: string
  nodeId: string
  /** Whether an earlier relay with the key ended without an outcome. The earlier relay may have been charged. */
  isRepeated: boolean
}
type Row = Omit<Rows['relay_outcomes'], 'user_id' | 'key_hash'>

export function createRelayOutcomes(parts: {
  db: Database
  ledger: Pick<Ledger, 'nodeId' | 'heartbeat'>
  now: () => number
  onFailure: (error: unknown) => void
}) {
  const { db, ledger, now, onFailure } = parts
  /** Claims the row of a key, or returns another relay's row. Calls `onWrite` before each COMMIT that claims it. */
  async function claimRow(request: KeyedRequest, keyHash: string, onWrite: () => void): Promise<Row | ClaimedRow> {
    if (ledger.nodeId === '') await ledger.heartbeat()
    const nodeId = ledger.nodeId
    const newClaim = {
      fingerprint: request.fingerprint,
      request_id: request.requestId,
      node_id: nodeId,
      created_at: now(),
      content_type: null,
      body: null,
    }
    const rowKey = { user_id: request.userId, key_hash: keyHash }
    const toClaimed = (requestId: string, isRepeated: boolean): ClaimedRow => {
      onWrite()
      return { requestId, nodeId, isRepeated }
    }
    const claimed = await db.transaction(async (trx): Promise<Row | ClaimedRow | undefined> => {
      const inserted = await trx('relay_outcomes')
        .insert({ ...rowKey, ...newClaim })
        .onConflict(['user_id', 'key_hash'])
        .ignore()
        .returning('request_id')
      if (inserted.length > 0) return toClaimed(request.requestId, false)
      const row: Row | undefined = await trx('relay_outcomes').where(rowKey).forUpdate().first()
      if (!row) return undefined
      if (row.created_at <= now() - STORAGE_S) {
        await trx('relay_outcomes').where(rowKey).update(newClaim)
        return toClaimed(request.requestId, false)
      }
      if (row.fingerprint !== request.fingerprint || row.node_id === '' || (await isRunning(trx, row.node_id)))
        return row
      await trx('relay_outcomes').where(rowKey).update({ node_id: nodeId })
      return toClaimed(row.request_id, true)
    })
    // Another relay released the key meanwhile, so try again.
    return claimed ?? claimRow(request, keyHash, onWrite)
  }

  const isRunning = async (trx: Knex.Transaction, nodeId: string): Promise<boolean> =>
    (await trx('nodes').where({ id: nodeId }).first('id')) !== undefined

  /** Number of running relays of this process, by `claimName`. */
  const running = new Map<string, number>()
  const claimName = (userId: number, keyHash: string) => `${userId} ${keyHash}`
  function count(claim: string, change: 1 | -1): void {
    const relays = (running.get(claim) ?? 0) + change
    if (relays > 0) running.set(claim, relays)
    else running.delete(claim)
  }

  /**
   * Removes a claim that may have been written although its client got an error. Otherwise no relay would end the
   * claim. Leaves the row if other relays of this process run with the same key, because these relays end the claim.
   */
  async function withdraw({ userId, requestId }: KeyedRequest, keyHash: string): Promise<void> {
    const row = { user_id: userId, key_hash: keyHash }
    await writeEnd(() =>
      db.transaction(async (trx) => {
        const stored: Row | undefined = await trx('relay_outcomes').where(row).forUpdate().first()
        if (stored?.node_id !== ledger.nodeId || running.has(claimName(userId, keyHash))) return
        if (stored.request_id === requestId) await trx('relay_outcomes').where(row).delete()
        else await trx('relay_outcomes').where(row).update({ node_id: NO_PROCESS })
      }),
    )
  }

  /** Claims the row of a key. After a timeout or error, withdraws the claim if it may have been written. */
  async function claimWithTimeout(request: KeyedRequest, keyHash: string): Promise<Row | ClaimedRow> {
    let mayBeWritten = false
    const claiming = claimRow(request, keyHash, () => {
      mayBeWritten = true
    })
    try {
      return await withinDatabaseWait(claiming)
    } catch (error) {
      void claiming
        .catch(() => {}) // The client already got the error.
        .then(() => (mayBeWritten ? withdraw(request, keyHash) : undefined))
      throw error
    }
  }

  /** Writes the end of a relay, with retries after errors. Until it is written, requests with the key are rejected. */
  async function writeEnd(write: () => Promise<unknown>): Promise<void> {
    const writing: Promise<void> = write().then(
      () => {},
      async (error) => {
        onFailure(error)
        await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS).unref())
        return writeEnd(write)
      },
    )
    // After the wait, the write continues in the background.
    await withinDatabaseWait(writing).catch(() => {})
  }

  return {
    /**
     * Claims a key, or returns its stored outcome. Throws IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_OTHER_BODY,
     * IDEMPOTENCY_KEY_RUNNING and DATABASE_UNAVAILABLE. Throws IDEMPOTENCY_KEY_SPENT if the relay was charged, but its
     * outcome is not stored.
     */
    async claim(request: KeyedRequest): Promise<RelayClaim | (StoredReply & { requestId: string })> {
      const key = idempotencyKeyOf(request.key)
      const keyHash = sha256(request.memberId ? `${request.memberId} ${key}` : key)
      const claimed = await claimWithTimeout(request, keyHash)
      if ('request_id' in claimed) return storedOutcome(claimed, request)
      const { requestId, nodeId, isRepeated } = claimed
      const claim = claimName(request.userId, keyHash)
      count(claim, 1)
      const claimKey = { user_id: request.userId, key_hash: keyHash, request_id: requestId, node_id: nodeId }
      let hasEnded = false
      const change = async (work: (row: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<void> => {
        if (hasEnded) return
        hasEnded = true
        await writeEnd(async () => {
          await db.transaction((trx) => work(trx('relay_outcomes').where(claimKey)))
          count(claim, -1)
        })
      }
      return {
        requestId,
        finish: (outcome) =>
          change((row) =>
            row.update({ node_id: '', content_type: outcome?.contentType ?? null, body: outcome?.body ?? null }),
          ),
        // Keep the id by default if an earlier relay with the key may have been charged.
        release: ({ keepsId = isRepeated } = {}) =>
          change((row) => (isRepeated || keepsId ? row.update({ node_id: NO_PROCESS }) : row.delete())),
      }
    },
    /** Deletes outcomes older than 24 hours and returns their number. */
    trim: (): Promise<number> =>
      deleteExpired(db, 'relay_outcomes', {
        key: ['user_id', 'key_hash'],
        expired: (rows) => rows.where('created_at', '<=', now() - STORAGE_S),
      }),
  }
}

/** Returns the stored outcome of a row. Throws if the row has no outcome, or belongs to a different request. */
function storedOutcome(row: Row, { fingerprint }: KeyedRequest): StoredReply & { requestId: string } {
  if (row.fingerprint !== fingerprint) throw new GatewayError('IDEMPOTENCY_KEY_OTHER_BODY')
  if (row.node_id !== '') throw new GatewayError('IDEMPOTENCY_KEY_RUNNING')
  if (row.content_type === null || row.body === null) throw new GatewayError('IDEMPOTENCY_KEY_SPENT')
  return { contentType: row.content_type, body: row.body, requestId: row.request_id }
}

/** Returns a digest of the strings and buffers of a request. Equal requests have equal digests. */
export function fingerprintOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  // Hash the lengths too, so that the digest changes if bytes move to the next element.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest('hex')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
