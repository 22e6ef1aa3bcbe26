import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openToolkit } from '../../../core/toolkit.ts'
import { breakTransactions } from '../../support/broken-transactions.ts'
import { bill, onBoth, openTestToolkit, type Person, type TestToolkit, testFolder } from '../../support/toolkit.ts'

const NOW = 1_700_000_000

const journalOf = ({ config }: TestToolkit) => join(config.dataFolder, 'journal')
const chargesOf = ({ toolkit }: TestToolkit, requestId: string) =>
  toolkit.db.reader('logs').where({ request_id: requestId }).pluck('quota')

/** A relay that held 300 and costs 200. */
async function settle({ toolkit: { ledger } }: TestToolkit, person: Person, before = async () => {}) {
  const hold = await ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 300 })
  await before()
  const charge = bill(person, { quota: 200 })
  return { charge, outcome: await ledger.settle(hold, charge) }
}

test('a write-ahead log shortened by a power cut leaves an earlier state, which balances', async () => {
  const fixture = await openTestToolkit()
  const person = await fixture.user({ quota: 100_000 })
  for (let count = 0; count < 20; count++) await settle(fixture, person)
  const file = fixture.config.databaseUrl.slice('sqlite:'.length)
  const log = await readFile(`${file}-wal`)
  const balances: number[] = []
  for (const share of [1, 0.9, 0.7, 0.4]) {
    const folder = await testFolder()
    const copied = join(folder, 'tollgate.db')
    await copyFile(file, copied)
    await copyFile(join(fixture.config.dataFolder, 'tollgate.secret'), join(folder, 'tollgate.secret'))
    await writeFile(`${copied}-wal`, log.subarray(0, Math.floor(log.length * share)))

    const toolkit = await openToolkit({ databaseUrl: `sqlite:${copied}`, secret: undefined, dataFolder: folder })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [] })
    const row = await toolkit.db.reader('users').where({ id: person.id }).first('quota')
    balances.push(row?.quota ?? 100_000)
    await toolkit.close()
  }
  expect(balances[0]).toBe(100_000 - 20 * 200)
  expect(balances).toEqual([...balances].sort((a, b) => a - b))
  expect(balances.at(-1)).toBeGreaterThan(balances[0] ?? 0)
})

onBoth('a charge whose COMMIT reply is lost before an outage that outlasts its epoch', (open) => {
  async function lostBeforeOutage({ hasRoom }: { hasRoom: boolean }) {
    let now = NOW
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 1000 })
    const broken = breakTransactions(fixture.toolkit)
    const { outcome, charge } = await settle(fixture, person, async () => {
      if (!hasRoom) await writeFile(journalOf(fixture), 'a file in the place of the folder')
      broken.mode = 'after'
      now += 26
    })
    broken.mode = 'before'
    return { fixture, person, charge, outcome, broken }
  }

  test('is kept in the journal, and its reply is completed', async () => {
    const { fixture, person, charge, outcome, broken } = await lostBeforeOutage({ hasRoom: true })
    expect(outcome).toBe('settled')
    expect(await readdir(journalOf(fixture))).toHaveLength(1)
    broken.mode = 'works'
    await expect.poll(() => readdir(journalOf(fixture)), { timeout: 5000 }).toEqual([])
    expect(await chargesOf(fixture, charge.requestId)).toEqual([200])
    expect(await fixture.balance(person)).toBe(800)
  })

  test('with a full journal too ends its reply with an error, and is charged', async () => {
    const { fixture, charge, outcome, broken } = await lostBeforeOutage({ hasRoom: false })
    broken.mode = 'works'
    await rm(journalOf(fixture))
    expect(outcome).toBe('lost')
    expect(await chargesOf(fixture, charge.requestId)).toEqual([200])
    await expect.poll(() => fixture.toolkit.ledger.verify().then(({ equal }) => equal), { timeout: 5000 }).toBe(true)
  })
})

onBoth('a data folder that is lost during an outage', (open) => {
  test('takes the charges of its journal with it, and the ledger balances', async () => {
    const fixture = await open()
    const person = await fixture.user({ quota: 1000 })
    const stopped = await fixture.another()
    const broken = breakTransactions(stopped)
    const { outcome, charge } = await settle({ ...fixture, toolkit: stopped }, person, async () => {
      broken.mode = 'before'
    })
    expect(outcome).toBe('settled')
    await stopped.ledger.close()
    await rm(journalOf(fixture), { recursive: true })
    await mkdir(journalOf(fixture))

    await fixture.toolkit.ledger.start()

    expect(await chargesOf(fixture, charge.requestId)).toEqual([])
    expect(await fixture.balance(person)).toBe(1000)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
})

onBoth('a log that is cleared of rows whose charges still wait in a journal', (open) => {
  test('does not report that they were written: they are charged again, and the ledger balances', async () => {
    let now = NOW
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 1000 })
    const stopped = await fixture.another()
    const broken = breakTransactions(stopped)
    const { outcome, charge } = await settle({ ...fixture, toolkit: stopped }, person, async () => {
      broken.mode = 'after'
    })
    broken.mode = 'before'
    expect(outcome).toBe('settled')
    await stopped.ledger.close()
    expect(await chargesOf(fixture, charge.requestId)).toEqual([200])
    now += 100
    await fixture.toolkit.logs.clear(fixture.root, now)
    // The reserve of the process that ended does not cover it twice: its epoch must have ended.
    await fixture.toolkit.ledger.releaseDead()
    now += 61
    await fixture.toolkit.ledger.releaseDead()

    await fixture.toolkit.ledger.start()

    expect(await fixture.balance(person)).toBe(600)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [] })
  })
})
