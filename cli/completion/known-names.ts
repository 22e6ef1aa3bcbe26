import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createFolder } from '../../core/create-folder.ts'
import { isRecord } from '../../core/records.ts'
import type { Cli } from '../cli.ts'
import type { CompletionCandidate } from './values.ts'

/*
 * Ids and names of objects in the gateway, for completion. A call to a gateway would be too slow, so the names come
 * from a file, which a background process refreshes.
 */

/** Age at which a background process refreshes the file. */
const FRESH_MS = 30_000
/** Maximum number of rows of each kind. Longer lists of candidates are unreadable in a shell. */
const ROWS_MAX = 500

const NAME_KINDS = ['channels', 'tokens', 'users', 'codes', 'groups', 'models'] as const
export type NameKind = (typeof NAME_KINDS)[number]
type Names = Partial<Record<NameKind, CompletionCandidate[]>>

const RENEW = '__names'

/** Returns the stored names. Refreshes them in the background if they are missing or old. */
export async function knownNames(cli: Cli, kind: NameKind, words: readonly string[]): Promise<CompletionCandidate[]> {
  const path = await pathFor(cli)
  const stored = path === undefined ? undefined : await readNames(path)
  if (stored === undefined || Date.now() - stored.at > FRESH_MS) await renewInBackground(cli, words)
  return stored?.names[kind] ?? []
}

/** Stores the target gateway's names for the next completion. Only the file's owner can read the file. */
export async function renewNames(cli: Cli): Promise<void> {
  const path = await pathFor(cli)
  if (path === undefined) return
  await writeNames(path, await namesOf(cli).catch(() => ({})))
}

async function namesOf(cli: Cli): Promise<Names> {
  const { toolkit, actor } = await cli.open()
  const page = { page: 1, pageSize: ROWS_MAX }
  const loads: Record<NameKind, () => Promise<CompletionCandidate[]>> = {
    channels: async () => toCandidates((await toolkit.channels.list(actor, page)).items),
    tokens: async () => toCandidates((await toolkit.tokens.list(actor, page)).items),
    users: async () => (await toolkit.accounts.list(actor, page)).items.map(({ username }) => ({ word: username })),
    codes: async () => toCandidates((await toolkit.redemption.list(actor, page)).items),
    groups: async () => (await toolkit.groups.list(actor)).map(({ name }) => ({ word: name })),
    models: async () => (await toolkit.models.usable(actor)).map((word) => ({ word })),
  }
  const names: Names = {}
  for (const kind of NAME_KINDS) {
    // Common users may not read every list.
    names[kind] = await loads[kind]().catch(() => [])
  }
  return names
}

async function writeNames(path: string, names: Names): Promise<void> {
  createFolder(dirname(path), 0o700)
  const temporaryPath = `${path}.${process.pid}`
  await writeFile(temporaryPath, JSON.stringify({ at: Date.now(), names }), { mode: 0o600 })
  await rename(temporaryPath, path)
}

const toCandidates = (rows: readonly { id: number; name: string }[]): CompletionCandidate[] =>
  rows.map(({ id, name }) => ({ word: String(id), meaning: name }))

/** Returns the path of the file for this gateway and user; undefined if the target cannot be resolved. */
async function pathFor(cli: Cli): Promise<string | undefined> {
  const { env } = cli
  try {
    const target = await cli.target()
    const identity =
      target.kind === 'remote'
        ? [target.server.url, target.server.token ?? '']
        : ['local', env.DATABASE_URL ?? '', cli.folder]
    const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16)
    return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache'), 'tollgate', `names-${name}.json`)
  } catch {
    return undefined
  }
}

async function readNames(path: string): Promise<{ at: number; names: Names } | undefined> {
  try {
    const stored: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!isRecord(stored) || typeof stored.at !== 'number' || !isRecord(stored.names)) return undefined
    return { at: stored.at, names: stored.names as Names }
  } catch {
    return undefined
  }
}

/** Matches the path of this program: its own file, or the link to the file that an installer has created. */
const PROGRAM = /(^|[\\/])tollgate(\.js)?$/
/** Flags that select the gateway. */
const TARGET = /^--(server|profile|database|config)(=|$)/

async function renewInBackground(cli: Cli, words: readonly string[]): Promise<void> {
  const { spawn } = await import('node:child_process')
  const [, program = ''] = process.argv
  if (!PROGRAM.test(program)) return
  const flags = words.flatMap((word, index) =>
    TARGET.test(word) ? (word.includes('=') ? [word] : [word, words[index + 1] ?? '']) : [],
  )
  const child = spawn(process.execPath, [program, RENEW, ...flags], {
    cwd: cli.folder,
    env: { ...cli.env },
    detached: true,
    stdio: 'ignore',
  })
  child.on('error', () => {})
  child.unref()
}
