import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../core/audit/audit.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'
import { BACKINGS, openBacking } from '../backings.ts'
import { interrupted } from '../interrupted.ts'
import { CHANNEL, createFolder, createWorld, environmentIn, runHere } from '../support.ts'
import { typing } from '../typing.ts'

describe.each(BACKINGS)('audit, on a %s', (kind) => {
  const world = shared(async () => {
    const opened = await openBacking(kind)
    await opened.inside(async (toolkit, root) => {
      await toolkit.channels.create(root, CHANNEL)
      await toolkit.channels.update(root, 1, { weight: 3 })
      await toolkit.options.set(root, 'RetryTimes', '2')
    })
    return opened
  })

  const actions = async (...flags: string[]): Promise<string[]> =>
    (await world().json('audit', 'list', ...flags)).map(({ action }: AuditEntry) => action)

  test('list shows actions newest first, filtered by actor, action, object and time', async () => {
    expect(await actions('--limit', '3')).toEqual(['option.set', 'channel.update', 'channel.create'])
    expect(await actions('--action', 'channel')).toEqual(['channel.update', 'channel.create'])
    expect(await actions('--object', 'channel:1', '--actor', 'root', '--since', '1h')).toHaveLength(2)
    expect(await actions('--until', '2024-01-31')).toEqual([])
    const [newest] = await world().json('audit', 'list', '--limit', '1')
    expect(await actions('--limit', '2', '--before', String(newest.id))).toEqual(['channel.update', 'channel.create'])
    const { stdout } = await world().run([
      'audit',
      'list',
      '--object',
      'channel:1',
      '--columns',
      'actor,action,object,after',
    ])
    expect(stdout).toMatch(/^root +channel\.update +channel:1 +\{"weight":3\}$/m)
    const none = await world().run(['audit', 'list', '--actor', 'no-such-user'])
    expect(none).toMatchObject({ exitCode: 0, stderr: 'No administrator actions.' })
    expect((await world().run(['audit', 'list', '--since', 'yesterday'])).exitCode).toBe(2)
  })

  test('tail prints the last rows, oldest first, and with -f new rows', async () => {
    const tail = interrupted(world(), ['audit', 'tail', '-f', '-n', '1', '--action', 'option', '--json'])
    await tail.until((text) => text.includes('option:RetryTimes'))
    await world().inside(async ({ options }, root) => options.set(root, 'SystemName', 'Elsewhere'))
    await tail.until((text) => text.includes('Elsewhere'))
    const { stdout, exitCode } = await tail.interrupt()
    const objects = stdout.split('\n').map((line) => JSON.parse(line).object)
    expect({ exitCode, objects }).toEqual({ exitCode: 0, objects: ['option:RetryTimes', 'option:SystemName'] })
    expect((await world().run(['audit', 'tail', '-n', '0'])).stdout).toBe('')
  })

  test('export writes every row once, to a new file with mode 0600', async () => {
    await world().inside(({ audit }, root) =>
      audit.writeAlone(root, { action: 'log.clear', object: 'log', after: { text: '=1+1, "x"' } }),
    )
    const { stderr } = await world().run(['audit', 'export', '--output', 'audit.jsonl'])
    const file = join(world().folder, 'audit.jsonl')
    const ids = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id as number)
    expect(stderr).toBe(`Wrote ${ids.length} rows to audit.jsonl.`)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { stdout } = await world().run(['audit', 'export', '--action', 'log', '--format', 'csv'])
    expect(stdout).toMatch(/^id,time,actor_id,actor,address,action,object,before,after\n\d+,.*,root,/)
  })
})

test('more rows than one page are exported once each', async () => {
  const world = await openBacking('server')
  await world.inside(({ audit, db }, root) =>
    db.transaction((trx) =>
      audit.write(trx, root, ...Array.from({ length: 2345 }, () => ({ action: 'log.clear', object: 'log' }) as const)),
    ),
  )
  const { stdout } = await world.run(['audit', 'export', '--action', 'log.clear'])
  expect(new Set(stdout.split('\n').map((line) => JSON.parse(line).id)).size).toBe(2345)
})

test('commands on a local database record the operating-system user', async () => {
  const world = await createWorld()
  await world.run(['option', 'set', 'RetryTimes', '4'])
  await world.run(['user', 'create', 'ann', '--password-stdin'], { input: 'password-of-ann' })
  const rows: AuditEntry[] = await world.json('audit', 'list')
  const actorFields = { actor: userInfo().username, address: 'terminal', actor_id: 1 }
  expect(rows).toMatchObject([
    { ...actorFields, action: 'user.create', object: 'user:2' },
    { ...actorFields, action: 'option.set', object: 'option:RetryTimes' },
  ])
})

async function openAsAdmin() {
  const gateway = await openTestGateway()
  const folder = await createFolder()
  const token = await gateway.toolkit.accessTokens.create(await gateway.user({ role: 10 }))
  const env = { ...environmentIn(folder), TOLLGATE_SERVER: gateway.url, TOLLGATE_TOKEN: token }
  return { ...gateway, env, folder }
}

test('administrators on a server cannot read the audit log, and must enter the key again to change its address', async () => {
  const { channel, env, folder } = await openAsAdmin()
  const { id } = await channel()
  const run = (words: string[], input = '') => runHere(words, { env, folder, input })

  expect(await run(['audit', 'list'])).toMatchObject({ exitCode: 4, stdout: '' })
  const redirect = ['channel', 'update', String(id), '--base-url', 'https://elsewhere.example']
  const refused = await run(redirect)
  expect(refused).toMatchObject({ exitCode: 4, stderr: expect.stringMatching(/base_url.*enter the key again/) })
  expect((await run([...redirect, '--key-stdin'], 'sk-again')).exitCode).toBe(0)
})

test('Ctrl-C at the prompt for a key says how many channels were updated before, also with --keep-going', async () => {
  const { toolkit, root, channel, env, folder } = await openAsAdmin()
  const [first, second, third] = [await channel(), await channel(), await channel()]
  const ids = [first, second, third].map(({ id }) => String(id))
  const words = ['channel', 'update', ...ids, '--base-url', 'https://elsewhere.example', '--keep-going']
  const keyOf = ({ id }: { id: number }, keys: string) => [`Key of channel ${id}`, keys] as const

  const canceled = await typing({ env, folder }, words, [keyOf(first, '\u0003')])
  expect(canceled).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('nothing was changed') })
  const cut = await typing({ env, folder }, words, [keyOf(first, 'sk-again\r'), keyOf(second, '\u0003')])

  expect(cut).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('interrupted: 1 of 3 done') })
  expect(cut.stderr).not.toContain('nothing was changed')
  const addresses = (await toolkit.channels.list(root)).items.map(({ id, base_url }) => [id, base_url])
  expect(addresses).toContainEqual([first.id, 'https://elsewhere.example'])
  expect(addresses).toContainEqual([second.id, ''])
})
