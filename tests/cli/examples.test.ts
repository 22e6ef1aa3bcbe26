import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import type { Environment } from '../../cli/io.ts'
import { profilesPath } from '../../cli/profiles.ts'
import { ROLE } from '../../core/actor.ts'
import { startSimulatedUpstream } from '../../server/demo/upstream.ts'
import { batchRow, fileRow } from '../support/batch-rows.ts'
import { shared, whenDone } from '../support/lifetime.ts'
import { drawing } from '../support/task-rows.ts'
import { BACKINGS, type BackedWorld, type BackingKind, openBacking } from './backings.ts'
import { apiTable, observeCalls, unexplained } from './reference/api-calls.ts'
import { type Chapter, readCommandLine } from './reference/command-line.ts'
import { MORE_LINES, OTHERWISE_TESTED, REFUSED } from './reference/more-lines.ts'
import { lineOf } from './reference/shell.ts'
import { BIN, CHANNEL, type Outcome, relayed } from './support.ts'

const TABLE = fileURLToPath(new URL('../../docs/cli-api.md', import.meta.url))
const ON_THE_DATABASE_ITSELF = /this command needs the database itself|an access token cannot change the password/

const KIM = 4
const ABOUT_A_SERVER = /gateway\.example| work$/

/** What takes something away comes after those that need it. */
const ORDER = [
  /./,
  // Its address is a real one, which nothing here may ask.
  /^tollgate channel (add|import|apply|create)\b/,
  /\b(disable|demote)\b/,
  /^tollgate (\S+ )*(clear|reset|unset|logout|password)\b/,
  /^tollgate (\S+ )*(delete|prune|remove|revoke|purge)\b/,
]
const turnOf = (line: string) => ORDER.findLastIndex((lines) => lines.test(line))

/** root, users 2 `ann`, 3 `dave` (an administrator) and 4 `kim`, channel 1 with tag `spare`, token 1, team `lab` of root and `kim` with token 2 and invite 2, redemption code 1, log row 2, drawing `first`, batch 1 and file 1 of `ann` without their channel. */
async function openExampleWorld(kind: BackingKind): Promise<BackedWorld> {
  const world = await openBacking(kind)
  const { folder } = world
  const upstream = await startSimulatedUpstream()
  whenDone(() => upstream.close())
  await world.inside(async (toolkit, root) => {
    await toolkit.accounts.create(root, { username: 'ann', password: 'password-of-ann' })
    await toolkit.accounts.create(root, { username: 'dave', password: 'password-of-dave', role: ROLE.admin })
    await toolkit.accounts.create(root, { username: 'kim', password: 'password-of-kim' })
    await toolkit.channels.create(root, { ...CHANNEL, base_url: upstream.url, tag: 'spare' })
    await toolkit.tokens.create(root, { name: 'first', unlimited_quota: true })
    const team = await toolkit.teams.create(root, { name: 'lab' })
    await toolkit.teams.keys.create(root, team.id, { name: 'lab-key', unlimited_quota: true })
    const { code = '' } = await toolkit.teams.invite(root, team.id)
    await toolkit.teams.join({ id: KIM, role: ROLE.common }, code)
    await toolkit.teams.invite(root, team.id)
    const codes = await toolkit.redemption.create(root, { name: 'first', quota: 1000, count: 2 })
    await relayed(toolkit, { id: root.id, username: 'root' })
    const request_id = '20261124093015a1b2c3d4e50000000042'
    await toolkit.db.transaction((trx) => trx('logs').where({ type: 2 }).update({ request_id }))
    const ownedByAnn = { userId: 2, channelId: 999 }
    await batchRow(toolkit, { ...ownedByAnn, batchId: 'batch_1' })
    await fileRow(toolkit, { ...ownedByAnn, fileId: 'file-1' })
    await drawing(toolkit, { user_id: root.id, mj_id: 'first', action: 'IMAGINE', status: 'SUCCESS' })
    await toolkit.db.transaction((trx) => trx('users').where({ id: root.id }).update({ aff_quota: 2_000_000 }))
    await writeFile(join(folder, 'code.txt'), `${codes[1]}\n`)
    await writeFile(join(folder, 'key.txt'), 'sk-abc\n')
    await writeFile(join(folder, 'gateway.yaml'), 'version: 1\n')
    await writeFile(join(folder, 'more.yaml'), 'version: 1\noptions: { TopUpLink: https://shop.example }\n')
    const usage = 'start_time_iso,model,input_tokens,output_tokens\n2026-01-01,gpt-4o,0,0\n'
    await writeFile(join(folder, 'usage.csv'), usage)
  })
  await mkdir(join(folder, 'bin'))
  const tollgate = join(folder, 'bin', 'tollgate')
  await writeFile(tollgate, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  await chmod(tollgate, 0o755)
  return world
}

/** Makes the profile `work`, which other lines have forgotten. */
async function signIn(env: Environment, { server, token }: { server: string; token: string }): Promise<void> {
  const profile = { server, token, username: 'root', userId: 1, role: ROLE.root }
  const path = profilesPath(env)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify({ profiles: { work: profile } }), { mode: 0o600 })
}

/** In this process where no shell is needed. */
async function runLine(world: BackedWorld, written: string, as: 'kim' | undefined): Promise<Outcome> {
  const { folder, url } = world
  // Some lines make a token void, or a new one.
  const token =
    url &&
    (await world.inside((toolkit, root) => toolkit.accessTokens.create(as ? { id: KIM, role: ROLE.common } : root)))
  const env = {
    ...world.env,
    TOKEN: token ?? '',
    PASSWORD: 'a-new-password',
    NEW_PASSWORD: 'another-password',
    ...(token !== undefined && { TOLLGATE_TOKEN: token }),
  }
  if (token !== undefined && / work$/.test(written)) await signIn(env, { server: url ?? '', token })
  const text = url === undefined ? written : written.replaceAll('https://gateway.example', url)
  const { words } = lineOf(text)
  if (words) return world.run(words, { env })
  const PATH = `${join(folder, 'bin')}:${world.env.PATH}`
  const options = { cwd: folder, env: { ...env, PATH }, extendEnv: false, reject: false, input: '' } as const
  const { stdout, stderr, exitCode = 1 } = await execa('bash', ['-c', text], options)
  return { stdout, stderr, exitCode }
}

function examplesIn({ page, below }: Chapter): string[] {
  const examples = page.blocks.filter(({ title }) => title === 'Examples:').flatMap(({ lines = [] }) => lines)
  if (below.length > 0) return below.flatMap(examplesIn)
  return examples.length > 0 ? examples : [`no example: ${page.words}`]
}

const examples = [...new Set(examplesIn(await readCommandLine()))]

describe.each(BACKINGS)('on a %s', (kind) => {
  const world = shared(() => openExampleWorld(kind))

  test('every example in the help works when pasted', async () => {
    const some: readonly { line: string; as?: 'kim' }[] = examples.map((line) => ({ line }))
    const lines = kind === 'server' ? [...some, ...MORE_LINES] : some
    const { url } = world()
    const observed = url === undefined ? undefined : observeCalls(url)
    const failed: string[] = []
    for (const { line, as } of [...lines].sort((a, b) => turnOf(a.line) - turnOf(b.line))) {
      if (OTHERWISE_TESTED.some(({ lines }) => lines.test(line))) continue
      if (url === undefined && ABOUT_A_SERVER.test(line)) continue
      observed?.during(line)
      const { exitCode, stderr } = await runLine(world(), line, as)
      const { says } = REFUSED.find(({ lines }) => lines.test(line)) ?? {}
      const asExpected = says ? says.test(stderr) : exitCode === 0 || (url && ON_THE_DATABASE_ITSELF.test(stderr))
      if (!asExpected) failed.push(`${line} → ${exitCode}: ${stderr}`)
    }
    observed?.end()

    expect(failed).toEqual([])
    if (url === undefined || !observed) return
    expect(await unexplained(url, observed.calls), 'no command makes these calls, and nothing says why').toEqual([])
    await expect(await apiTable(url, observed.calls), 'npm run cli-calls').toMatchFileSnapshot(TABLE)
  }, 180_000)
})
