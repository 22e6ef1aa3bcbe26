import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Answer, ask, post } from './chat.ts'
import { type FaultyTcp, startFaultyTcp } from './faulty-tcp.ts'
import { customer } from './gateway.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from './hand-made-upstream.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { type DatabaseKind, openTestToolkit } from './toolkit.ts'

/** Costs 0.0001 dollars per call: 50 quota, at 500 000 quota per dollar. */
export const CALL = { model: 'by-call', quota: 50 }

export interface FaultServer extends ServerProcess {
  /** The proxy between the gateway and its database; undefined on SQLite. */
  proxy: FaultyTcp | undefined
}

/**
 * Opens gateway processes over one database, each with its own faulty connection, one upstream that replies after
 * `replyMs`, and one customer with a balance.
 */
export async function openFaultFixture({
  database,
  emptyUrl,
  balance,
  replyMs = 20,
  answer,
}: {
  database: DatabaseKind
  /** An existing empty database to use. */
  emptyUrl?: string
  balance: number
  replyMs?: number
  answer?: (exchange: Exchange) => unknown
}) {
  const fixture = await openTestToolkit({ database, ...(emptyUrl && { emptyUrl }) })
  const upstream = await startUpstream(
    answer ?? ((exchange) => setTimeout(() => sendJson(exchange, completion('ok', usage(9, 1))), replyMs)),
  )
  await fixture.toolkit.options.set(fixture.root, 'ModelPrice', JSON.stringify({ [CALL.model]: CALL.quota / 500_000 }))
  await fixture.channel({ base_url: upstream.url, models: CALL.model })
  const { person, key } = await customer(fixture, { user: { quota: balance } })
  const answers: Answer[] = []

  const held = async (): Promise<number> => {
    const [row] = await fixture.toolkit.db.reader('users').where({ id: person.id }).select('held_quota')
    return Number(row?.held_quota)
  }
  return {
    ...fixture,
    upstream,
    person,
    key,
    /** All replies that clients received, including partial ones. */
    answers,
    held,
    async server(environment: Record<string, string> = {}): Promise<FaultServer> {
      const proxy = database === 'postgres' ? await startFaultyTcp(fixture.config.databaseUrl) : undefined
      const server = await startServer(fixture, { ...(proxy && { DATABASE_URL: proxy.url }) }, environment)
      return { ...server, proxy }
    },
    /** Sends a request to one gateway; undefined if the connection broke before a reply. */
    async ask({ url }: Pick<ServerProcess, 'url'>, more: Record<string, unknown> = {}): Promise<Answer | undefined> {
      const answered = await post({ url, key, body: ask(CALL.model, more) }).catch(() => undefined)
      if (answered) answers.push(answered)
      return answered
    },
    /**
     * Expects the clients' replies to match the ledger to the unit: one charge per complete reply, none for rejected ones,
     * a balance reduced by exactly the charges and not below zero, and no holds.
     */
    async expectExactLedger(): Promise<void> {
      const { reader } = fixture.toolkit.db
      await until(async () => (await held()) === 0, 60_000)
      const rows = await reader('logs')
        .where({ user_id: person.id })
        .whereNotNull('request_id')
        .select('request_id', 'quota')
      const charged = new Map(rows.map(({ request_id, quota }) => [request_id, quota]))
      expect(rows).toHaveLength(charged.size)
      const complete = answers.filter(({ status, complete: isWhole }) => status === 200 && isWhole)
      expect(complete.filter(({ requestId }) => charged.get(requestId) !== CALL.quota)).toEqual([])
      const rejected = answers.filter(({ status }) => status >= 400)
      expect(rejected.filter(({ requestId }) => charged.has(requestId)).map(({ text }) => text)).toEqual([])
      const spent = rows.reduce((sum, { quota }) => sum + quota, 0)
      expect(await fixture.balance(person)).toBe(balance - spent)
      expect(spent).toBeLessThanOrEqual(balance)
      expect((await fixture.toolkit.ledger.verify()).differences).toEqual([])
    },
  }
}

/** Waits until `isTrue`; throws after `timeoutMs`. Unlike `expect.poll`, this works in concurrent tests. */
export async function until(isTrue: () => boolean | Promise<boolean>, timeoutMs = 20_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Not true within ${timeoutMs} ms: ${isTrue}`)
    await sleep(100)
  }
}
