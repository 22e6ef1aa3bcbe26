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

/** A reply as the client got it: always 200, since others are not kept. */
export interface Outcome {
  readonly contentType: string
  readonly body: Buffer
}

/** A relay that runs under a key. The first call that ends it counts. */
export interface RelayClaim {
  /** The id that the relay must be charged under: that of the first relay under this key. */
  readonly requestId: string
  /** It was charged. Without an outcome it can be neither repeated nor run again under this key. Waits five seconds at most. */
  finish(outcome?: Outcome): Promise<void>
  /** It was not charged: the next request under this key runs anew. */
  release(): Promise<void>
}

export interface RelayAsk {
  userId: number
  key: string
  /** What is asked for: path and body, as `fingerprintOf` has them. */
  fingerprint: string
  requestId: string
}

/**
 * Relays under idempotency keys: the first with a key runs, and those that follow within 24 hours get its outcome. A row in the
 * database decides who is first, for any number of processes. If the process of a relay dies, the next request under its key
 * runs again, and is charged under the id of the first: the ledger knows a request id once, so that both are one charge, however
 * far the first had come.
 */
export interface RelayOutcomes {
  /**
   * Claims a key. Throws IDEMPOTENCY_KEY_INVALID, IDEMPOTENCY_KEY_OTHER_BODY, IDEMPOTENCY_KEY_RUNNING, IDEMPOTENCY_KEY_SPENT (the
   * relay was charged, and its outcome is not kept) and DATABASE_UNAVAILABLE.
   */
  claim(ask: RelayAsk): Promise<RelayClaim | (Outcome & { requestId: string })>
  /** Removes what is older than 24 hours. Returns how many. */
  trim(): Promise<number>
}

/** An epoch that no process has: the next request may run. */
const NOBODY = 'nobody'

interface Mine {
  requestId: string
  nodeId: string
  /** The process that ran it before has died. */
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
  /** Answers the row of a relay that is another's. `onWrite`: called before each COMMIT that may claim the row. */
  async function claimRow(ask: RelayAsk, keyHash: string, onWrite: () => void): Promise<Row | Mine> {
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
    const mine = (requestId: string, isRepeated: boolean): Mine => {
      onWrite()
      return { requestId, nodeId, isRepeated }
    }
    const claimed = await db.transaction(async (trx): Promise<Row | Mine | undefined> => {
      const inserted = await trx('relay_outcomes')
        .insert({ ...place, ...fresh })
        .onConflict(['user_id', 'key_hash'])
        .ignore()
        .returning('request_id')
      if (inserted.length > 0) return mine(ask.requestId, false)
      const row: Row | undefined = await trx('relay_outcomes').where(place).forUpdate().first()
      if (!row) return undefined
      if (row.created_at <= now() - KEPT_S) {
        await trx('relay_outcomes').where(place).update(fresh)
        return mine(ask.requestId, false)
      }
      if (row.fingerprint !== ask.fingerprint || row.node_id === '' || (await isRunning(trx, row.node_id))) return row
      await trx('relay_outcomes').where(place).update({ node_id: nodeId })
      return mine(row.request_id, true)
    })
    // Its relay was released meanwhile: the key is free.
    return claimed ?? claimRow(ask, keyHash, onWrite)
  }

  const isRunning = async (trx: Knex.Transaction, nodeId: string): Promise<boolean> =>
    (await trx('nodes').where({ id: nodeId }).first('id')) !== undefined

  /** How many relays of this process run under a key: by `placeOf`. */
  const running = new Map<string, number>()
  const placeOf = (userId: number, keyHash: string) => `${userId} ${keyHash}`
  function count(place: string, change: 1 | -1): void {
    const left = (running.get(place) ?? 0) + change
    if (left > 0) running.set(place, left)
    else running.delete(place)
  }

  /**
   * The client of a claim was rejected, and nobody knows whether its row was written: if so, no relay runs that would ever end
   * it. Others of this process under the same key end their own.
   */
  async function withdraw({ userId, requestId }: RelayAsk, keyHash: string): Promise<void> {
    const row = { user_id: userId, key_hash: keyHash }
    await writeEnd(() =>
      db.transaction(async (trx) => {
        const known: Row | undefined = await trx('relay_outcomes').where(row).forUpdate().first()
        if (known?.node_id !== ledger.nodeId || running.has(placeOf(userId, keyHash))) return
        if (known.request_id === requestId) await trx('relay_outcomes').where(row).delete()
        else await trx('relay_outcomes').where(row).update({ node_id: NOBODY })
      }),
    )
  }

  /** Claims the row. A claim that comes too late, or whose outcome is unknown, is withdrawn. */
  async function claimInTime(ask: RelayAsk, keyHash: string): Promise<Row | Mine> {
    let mayBeWritten = false
    const claiming = claimRow(ask, keyHash, () => {
      mayBeWritten = true
    })
    try {
      return await withinDatabaseWait(claiming)
    } catch (error) {
      void claiming
        .catch(() => {}) // The client has the error.
        .then(() => (mayBeWritten ? withdraw(ask, keyHash) : undefined))
      throw error
    }
  }

  /** Until the row says how the relay ended, its key is refused: it is tried again while the database is away. */
  async function writeEnd(write: () => Promise<unknown>): Promise<void> {
    const writing: Promise<void> = write().then(
      () => {},
      async (error) => {
        onFailure(error)
        await new Promise((resolve) => setTimeout(resolve, STORE_AGAIN_MS).unref())
        return writeEnd(write)
      },
    )
    await withinDatabaseWait(writing).catch(() => {}) // It goes on; the client does not wait for it.
  }

  return {
    async claim(ask) {
      const keyHash = sha256(keyOf(ask.key))
      const claimed = await claimInTime(ask, keyHash)
      if ('request_id' in claimed) return known(claimed, ask)
      const { requestId, nodeId, isRepeated } = claimed
      const place = placeOf(ask.userId, keyHash)
      count(place, 1)
      const mine = { user_id: ask.userId, key_hash: keyHash, request_id: requestId, node_id: nodeId }
      let hasEnded = false
      const change = async (work: (row: Knex.QueryBuilder) => Knex.QueryBuilder): Promise<void> => {
        if (hasEnded) return
        hasEnded = true
        await writeEnd(async () => {
          await db.transaction((trx) => work(trx('relay_outcomes').where(mine)))
          count(place, -1)
        })
      }
      return {
        requestId,
        finish: (outcome) =>
          change((row) =>
            row.update({ node_id: '', content_type: outcome?.contentType ?? null, body: outcome?.body ?? null }),
          ),
        // The process that died may have charged it: its id must not be forgotten.
        release: () => change((row) => (isRepeated ? row.update({ node_id: NOBODY }) : row.delete())),
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

/** What a request asks for: two with the same text are the same request. */
export function fingerprintOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256')
  // With their lengths: what moves from one part to the next is another request.
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part)
  return hash.digest('hex')
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
