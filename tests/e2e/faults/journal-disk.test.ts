import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { CALL, openFaultFixture, until } from '../../support/fault-fixture.ts'
import type { FaultyTcp } from '../../support/faulty-tcp.ts'
import { whenDone } from '../../support/lifetime.ts'
import { skipWithoutPostgres } from '../../support/toolkit.ts'

beforeEach(skipWithoutPostgres)

const DISK_BYTES = 64 * 1024

/** A file system of 64 kB for the journal; `false` where mounting is not permitted. */
function mountSmallDisk(folder: string): boolean {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  whenDone(() => void execFileSync('umount', ['-l', folder]))
  return true
}

test('a full disk in the middle of the journal: replies whose charge is not stored are not completed', async ({
  skip,
}) => {
  const fixture = await openFaultFixture({ database: 'postgres', balance: 10_000 * CALL.quota, replyMs: 1500 })
  const folder = join(fixture.config.dataFolder, 'data', 'journal')
  if (!mountSmallDisk(folder)) return skip('a small file system cannot be mounted here: this needs root')
  const filler = join(folder, 'filler')
  // Room for the first records of the journal, and not for all.
  writeFileSync(filler, Buffer.alloc(DISK_BYTES - 8 * 1024))
  const server = await fixture.server()
  const proxy = server.proxy as FaultyTcp
  await fixture.ask(server)
  const running: ReturnType<typeof fixture.ask>[] = []
  for (let at = 0; at < 30; at++) running.push(fixture.ask(server))
  await until(() => fixture.upstream.seen.length === 31)

  proxy.mode = 'refuse'
  const ended = await Promise.all(running)
  const complete = ended.filter((answer) => answer?.complete && answer.status === 200)
  expect(complete.length).toBeGreaterThan(0)
  expect(complete.length).toBeLessThan(30)
  proxy.mode = 'pass'

  await until(() => readdirSync(folder).length === 1, 30_000)
  rmSync(filler)
  await until(async () => (await fixture.ask(server))?.status === 200)
  await fixture.expectExactLedger()
}, 120_000)

test('a journal with a torn tail is replayed up to it, and the torn part is reported', async () => {
  const fixture = await openFaultFixture({ database: 'postgres', balance: 1000 * CALL.quota, replyMs: 500 })
  const folder = join(fixture.config.dataFolder, 'data', 'journal')
  const server = await fixture.server()
  const running = Array.from({ length: 8 }, () => fixture.ask(server))
  await until(() => fixture.upstream.seen.length === 8)
  ;(server.proxy as FaultyTcp).mode = 'refuse'
  expect((await Promise.all(running)).map((answer) => answer?.complete)).toEqual(Array(8).fill(true))
  server.signal('SIGKILL')
  await server.exited
  expect(existsSync(folder)).toBe(true)
  const [journal = ''] = readdirSync(folder)
  // A record of 200 bytes whose process died after the first 12: no client had the end of its reply.
  appendFileSync(join(folder, journal), Buffer.from('000000c800000000', 'hex'))
  appendFileSync(join(folder, journal), '{"ve')

  const next = await fixture.server()

  await until(async () => (await fixture.balance(fixture.person)) === 992 * CALL.quota)
  await until(() => readdirSync(folder).length === 0)
  expect(next.errors()).toContain('12 torn bytes')
  expect((await fixture.ask(next))?.status).toBe(200)
  await fixture.expectExactLedger()
}, 120_000)
