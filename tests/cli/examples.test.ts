import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { startSimulatedUpstream } from '../../server/demo/upstream.ts'
import { shared, whenDone } from '../support/lifetime.ts'
import { drawing } from '../support/task-rows.ts'
import { BACKINGS, type BackedWorld, type BackingKind, openBacking } from './backings.ts'
import { apiTable, observeCalls, unexplained } from './reference/api-calls.ts'
import { type Chapter, COMPLETE, readCommandLine } from './reference/command-line.ts'
import { MORE_LINES, OTHERWISE_TESTED } from './reference/more-lines.ts'
import { lineOf } from './reference/shell.ts'
import { BIN, CHANNEL, type Outcome, relayed } from './support.ts'

const TABLE = fileURLToPath(new URL('../../docs/cli-api.md', import.meta.url))
/** These take away what others need. */
const DESTROYS = /^tollgate (\S+ )*(delete|clear|prune|logout|remove|revoke|reset|purge)\b|log clean/
const ON_THE_DATABASE_ITSELF = /this works on the database itself/

/** root, user 2 `ann`, channel 1 with tag `spare`, token 1, redemption code 1, log row 2, drawing `first`. */
async function openExampleWorld(kind: BackingKind): Promise<BackedWorld> {
  const world = await openBacking(kind)
  const upstream = await startSimulatedUpstream()
  whenDone(() => upstream.close())
  await world.inside(async (toolkit, root) => {
    await toolkit.accounts.create(root, { username: 'ann', password: 'password-of-ann' })
    await toolkit.channels.create(root, { ...CHANNEL, base_url: upstream.url, tag: 'spare' })
    await toolkit.tokens.create(root, { name: 'first', unlimited_quota: true })
    await toolkit.redemption.create(root, { name: 'first', quota: 1000, count: 1 })
    await relayed(toolkit, { id: root.id, username: 'root' })
    await drawing(toolkit, { user_id: root.id, mj_id: 'first', action: 'IMAGINE', status: 'SUCCESS' })
  })
  await mkdir(join(world.folder, 'bin'))
  const tollgate = join(world.folder, 'bin', 'tollgate')
  await writeFile(tollgate, `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`)
  await chmod(tollgate, 0o755)
  return world
}

/** In this process where no shell is needed. */
async function runLine(world: BackedWorld, text: string): Promise<Outcome> {
  const { words } = lineOf(text)
  if (words) return world.run(words)
  const { folder, env } = world
  const PATH = `${join(folder, 'bin')}:${env.PATH}`
  const options = { cwd: folder, env: { ...env, PATH }, extendEnv: false, reject: false } as const
  const { stdout, stderr, exitCode = 1 } = await execa('bash', ['-c', text], options)
  return { stdout, stderr, exitCode }
}

function examplesIn({ page, below }: Chapter): string[] {
  const own = page.blocks.filter(({ title }) => title === 'Examples:').flatMap(({ lines = [] }) => lines)
  if (below.length > 0) return below.flatMap(examplesIn)
  return own.length > 0 ? own : [`no example: ${page.words}`]
}

const examples = [...new Set(examplesIn(await readCommandLine()))]

describe.runIf(COMPLETE).each(BACKINGS)('on a %s', (kind) => {
  const world = shared(() => openExampleWorld(kind))

  test('every example in the help works when pasted', async () => {
    const lines = kind === 'server' ? [...examples, ...MORE_LINES] : examples
    const here = lines.filter((line) => !OTHERWISE_TESTED.some(({ lines }) => lines.test(line)))
    const { url } = world()
    const observed = url === undefined ? undefined : observeCalls(url)
    const failed: string[] = []
    for (const line of [
      ...here.filter((line) => !DESTROYS.test(line)),
      ...here.filter((line) => DESTROYS.test(line)),
    ]) {
      observed?.during(line)
      const { exitCode, stderr } = await runLine(world(), line)
      const refused = kind === 'server' && ON_THE_DATABASE_ITSELF.test(stderr)
      if (exitCode !== 0 && !refused) failed.push(`${line} → ${exitCode}: ${stderr}`)
    }
    observed?.end()

    expect(failed).toEqual([])
    if (url === undefined || !observed) return
    expect(await unexplained(url, observed.calls), 'no command makes these calls, and nothing says why').toEqual([])
    await expect(await apiTable(url, observed.calls), 'npm run cli-calls').toMatchFileSnapshot(TABLE)
  }, 180_000)
})
