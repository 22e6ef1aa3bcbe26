import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { errorMessage } from '../../error-parts.ts'
import { GatewayError } from '../../errors.ts'
import { randomHex } from '../../secrets.ts'
import { syncFolder } from '../../sync-folder.ts'
import { VERSION } from '../../version.ts'
import type { ArchivedLine } from './rows.ts'

/**
 * An archive file, such as `logs-2026-01-001.jsonl.gz`, contains rows of one month (UTC), oldest first. Its manifest is
 * written last. A file without a manifest counts as incomplete, and its rows are still in the log. Existing files are
 * never replaced.
 */

const TypeSums = Type.Object({
  type: Type.Integer(),
  rows: Type.Integer(),
  quota: Type.Integer(),
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
})

/** The contents of an archive file, and checksums to verify it. */
export const ArchiveManifest = Type.Object({
  format: Type.Literal('tollgate-log-archive'),
  version: Type.Literal(1),
  /** Version of the gateway that wrote the file. */
  tollgate: Type.String(),
  /** Unix seconds. */
  archived_at: Type.Integer(),
  file: Type.String(),
  rows: Type.Integer(),
  /** Size of the compressed file. */
  bytes: Type.Integer(),
  /** Checksum of the compressed file, in hex. */
  sha256: Type.String(),
  /** Times of the oldest and the newest row, in Unix seconds. */
  oldest: Type.Integer(),
  newest: Type.Integer(),
  types: Type.Array(TypeSums),
})
export type ArchiveManifest = Static<typeof ArchiveManifest>

const DATA_SUFFIX = '.jsonl.gz'
const MANIFEST_SUFFIX = '.manifest.json'
const NAME = /^logs-(\d{4}-\d{2})-(\d{3,})(\.jsonl\.gz|\.manifest\.json)$/
const TEMPORARY = /^\.tollgate-archive-[0-9a-f]+$/
/** Processes write continuously, so a temporary file without a write for this long belongs to a crashed process. */
const ABANDONED_MS = 3600_000
const LINES_PER_CHUNK = 200

/** Returns the manifests of a month's files, in the order of their numbers. Throws LOG_ARCHIVE_DAMAGED. */
export async function listManifests(folder: string, month: string): Promise<ArchiveManifest[]> {
  const names = (await namesOfMonth(folder, month)).filter((name) => name.endsWith(MANIFEST_SUFFIX))
  names.sort((a, b) => numberOf(a) - numberOf(b))
  return Promise.all(names.map((name) => readManifest(join(folder, name))))
}

/** Removes temporary files of crashed processes. */
export async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!TEMPORARY.test(name)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true })
  }
}

/**
 * Writes the next file of a month and its manifest, and flushes both to disk. If there are no lines, writes nothing and
 * returns undefined. Throws errors of the file system and of `lines`. Always removes its temporary files.
 */
export async function writeArchiveFile(
  folder: string,
  { month, lines, now, signal }: ArchiveFileInput,
): Promise<ArchiveManifest | undefined> {
  const temporary = join(folder, `.tollgate-archive-${randomHex(16)}`)
  const temporaryManifest = join(folder, `.tollgate-archive-${randomHex(16)}`)
  try {
    const totals = await writeLines(temporary, lines, signal)
    if (totals === undefined) return undefined
    const name = `logs-${month}-${String(await nextNumber(folder, month)).padStart(3, '0')}`
    const manifest: ArchiveManifest = {
      format: 'tollgate-log-archive',
      version: 1,
      tollgate: VERSION,
      archived_at: now,
      file: `${name}${DATA_SUFFIX}`,
      ...totals,
    }
    const manifestFile = await open(temporaryManifest, 'wx', 0o600)
    try {
      await manifestFile.writeFile(`${JSON.stringify(manifest, null, 2)}\n`)
      await manifestFile.sync()
    } finally {
      await manifestFile.close()
    }
    // Another process may have used the number. link() then fails, while rename() would replace the file.
    await link(temporary, join(folder, `${name}${DATA_SUFFIX}`))
    await link(temporaryManifest, join(folder, `${name}${MANIFEST_SUFFIX}`))
    await syncFolder(folder)
    return manifest
  } finally {
    await Promise.all([rm(temporary, { force: true }), rm(temporaryManifest, { force: true })])
  }
}

interface ArchiveFileInput {
  /** A month such as 2026-01. */
  month: string
  lines: AsyncIterable<ArchivedLine>
  /** Unix seconds. */
  now: number
  signal?: AbortSignal | undefined
}

type FileTotals = Pick<ArchiveManifest, 'rows' | 'bytes' | 'sha256' | 'oldest' | 'newest' | 'types'>

/** Writes a file and flushes it to disk. Returns undefined if there are no lines. */
async function writeLines(
  path: string,
  lines: AsyncIterable<ArchivedLine>,
  signal: AbortSignal | undefined,
): Promise<FileTotals | undefined> {
  const sums = createSums()
  const hash = createHash('sha256')
  let bytes = 0
  async function* chunks() {
    let chunk = ''
    let count = 0
    for await (const line of lines) {
      sums.add(line)
      chunk += `${line.text}\n`
      if (++count % LINES_PER_CHUNK > 0) continue
      yield chunk
      chunk = ''
    }
    if (chunk !== '') yield chunk
  }
  await pipeline(
    Readable.from(chunks()),
    createGzip(),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const chunk of compressed) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  )
  const { rows, oldest, newest, types } = sums.total()
  return rows === 0 ? undefined : { rows, bytes, sha256: hash.digest('hex'), oldest, newest, types }
}

/** Returns the next unused file number. Numbers of incomplete files are used too, because files are never replaced. */
async function nextNumber(folder: string, month: string): Promise<number> {
  return Math.max(0, ...(await namesOfMonth(folder, month)).map(numberOf)) + 1
}

const namesOfMonth = async (folder: string, month: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => NAME.exec(name)?.[1] === month)

const numberOf = (name: string): number => Number(NAME.exec(name)?.[2] ?? 0)

async function readManifest(path: string): Promise<ArchiveManifest> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!Value.Check(ArchiveManifest, manifest)) throw new Error('it is not the manifest of a log archive')
    return manifest
  } catch (cause) {
    throw new GatewayError('LOG_ARCHIVE_DAMAGED', { path, reason: errorMessage(cause) }, { cause })
  }
}

/** Verifies an archive file. `path` is the file or its manifest. Returns the manifest. Throws LOG_ARCHIVE_DAMAGED. */
export async function verifyArchive(path: string): Promise<ArchiveManifest> {
  const base = path.endsWith(MANIFEST_SUFFIX)
    ? path.slice(0, -MANIFEST_SUFFIX.length)
    : path.replace(/\.jsonl\.gz$/, '')
  const manifest = await readManifest(`${base}${MANIFEST_SUFFIX}`)
  const data = `${base}${DATA_SUFFIX}`
  const hash = createHash('sha256')
  const sums = createSums()
  let bytes = 0
  try {
    const addBytes = (chunk: Buffer) => {
      hash.update(chunk)
      bytes += chunk.length
    }
    for await (const line of readFileLines(data, addBytes)) sums.add(line)
  } catch (cause) {
    throw new GatewayError('LOG_ARCHIVE_DAMAGED', { path: data, reason: errorMessage(cause) }, { cause })
  }
  const actual: FileTotals = { ...sums.total(), bytes, sha256: hash.digest('hex') }
  const mismatch = (['sha256', 'bytes', 'rows', 'oldest', 'newest', 'types'] as const).find(
    (name) => JSON.stringify(actual[name]) !== JSON.stringify(manifest[name]),
  )
  if (mismatch !== undefined) {
    throw new GatewayError('LOG_ARCHIVE_DAMAGED', { path: data, reason: `${mismatch} differs from the manifest` })
  }
  return manifest
}

/**
 * Yields the lines of a data file. `onBytes` gets the compressed bytes. Throws errors of the file system. Also throws
 * if a line is not a log row or the last line is incomplete.
 */
export async function* readFileLines(path: string, onBytes?: (chunk: Buffer) => void): AsyncGenerator<ArchivedLine> {
  const gunzip = createGunzip()
  const reading = pipeline(
    createReadStream(path),
    async function* (compressed: AsyncIterable<Buffer>) {
      for await (const chunk of compressed) {
        onBytes?.(chunk)
        yield chunk
      }
    },
    gunzip,
  )
  // If the pipeline fails, it destroys gunzip. The loop below then throws the error.
  reading.catch(() => {})
  const decoder = new StringDecoder('utf8')
  let incompleteLine = ''
  try {
    for await (const chunk of gunzip) {
      const texts = (incompleteLine + decoder.write(chunk)).split('\n')
      incompleteLine = texts.pop() ?? ''
      for (const text of texts) yield toLine(text)
    }
    if (incompleteLine !== '') throw new Error('its last line is incomplete')
  } finally {
    gunzip.destroy()
  }
}

const Row = Type.Object({
  id: Type.Integer(),
  created_at: Type.Integer(),
  type: Type.Integer(),
  quota: Type.Integer(),
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
})

function toLine(text: string): ArchivedLine {
  const row: unknown = JSON.parse(text)
  if (!Value.Check(Row, row)) throw new Error('it has a line that is not a log row')
  return { row, text }
}

function createSums() {
  const types = new Map<number, Static<typeof TypeSums>>()
  let rows = 0
  let oldest = 0
  let newest = 0
  return {
    add({ row: { type, created_at, quota, prompt_tokens, completion_tokens } }: ArchivedLine): void {
      oldest = rows === 0 ? created_at : Math.min(oldest, created_at)
      newest = rows === 0 ? created_at : Math.max(newest, created_at)
      rows += 1
      const sum = types.get(type) ?? { type, rows: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }
      sum.rows += 1
      sum.quota += quota
      sum.prompt_tokens += prompt_tokens
      sum.completion_tokens += completion_tokens
      types.set(type, sum)
    },
    total: () => ({ rows, oldest, newest, types: [...types.values()].sort((a, b) => a.type - b.type) }),
  }
}
