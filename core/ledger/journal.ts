import { constants } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { createFolder } from '../create-folder.ts'
import { randomHex } from '../secrets.ts'

/*
 * A file of records: for each, a header of 8 bytes (length and CRC-32 of the payload, big endian) and the payload, JSON in UTF-8.
 * A crash can tear the last record only. A disk error can damage any record: reading resumes at the next whole record.
 */

const HEADER_BYTES = 8
/** A greater length means damage: one batch of charges is far smaller. */
const RECORD_BYTES_MAX = 64 * 1024 * 1024
const ENDING = '.journal'

/** Charges that could not be written to the database, stored on disk by one process. */
export interface Journal {
  /** Appends one record; resolves when it is on disk (fsync). Rejects, and leaves the file as it was, if the disk is full. */
  append(record: unknown): Promise<void>
  /** Removes the file, when all its charges are in the database. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** Creates the journal of this process; the first record creates its file. */
export function createJournal(folder: string): Journal {
  let file: { handle: FileHandle; path: string; size: number } | undefined
  /** One write at a time. */
  let last: Promise<void> = Promise.resolve()

  async function openFile(): Promise<NonNullable<typeof file>> {
    createFolder(folder, 0o700)
    const path = join(folder, `${process.pid}-${randomHex(16)}${ENDING}`)
    const handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600)
    await syncFolder(folder)
    return { handle, path, size: 0 }
  }

  /** A process in another container may mistake this file for an abandoned one, replay it and remove it. */
  async function isStillOurs({ handle, path }: NonNullable<typeof file>): Promise<boolean> {
    const [opened, named] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
    return opened.ino === named?.ino
  }

  async function write(record: unknown): Promise<void> {
    if (file && !(await isStillOurs(file))) {
      await file.handle.close()
      file = undefined
    }
    file ??= await openFile()
    const { handle, size } = file
    const bytes = frame(record)
    try {
      await writeAll(handle, bytes, size)
      await handle.datasync()
      file.size = size + bytes.length
    } catch (error) {
      // Half a record would make the records after it unreadable.
      await handle.truncate(size)
      throw error
    }
  }

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const turn = last.then(work)
    last = turn.catch(() => {}) // The caller of `turn` has the error.
    return turn
  }

  return {
    append: (record) => inTurn(() => write(record)),
    clear: () =>
      inTurn(async () => {
        const { handle, path } = file ?? {}
        file = undefined
        await handle?.close()
        if (path) await rm(path, { force: true })
      }),
    close: () =>
      inTurn(async () => {
        await file?.handle.close()
        file = undefined
      }),
  }
}

/** The parsed bytes of a journal. */
export interface JournalContents {
  records: unknown[]
  /** Bytes after the last whole record: the process or the machine died while writing a record. */
  tornBytes: number
  /** Damaged bytes before a whole record: only a person can restore these charges. */
  damagedBytes: number
}

/** A journal of a process that has died. */
export interface LeftJournal extends JournalContents {
  readonly path: string
  /** Path for keeping a damaged journal. */
  readonly damagedPath: string
  /** Call it when all records are in the database: removes the file, or moves it to `damagedPath` if it is damaged. */
  remove(): Promise<void>
}

/**
 * Claims the journals of dead processes, one after the other. If several processes claim at the same time, each journal goes to
 * one of them.
 */
export async function* claimJournals(folder: string): AsyncGenerator<LeftJournal> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter((each) => each.endsWith(ENDING)).sort()) {
    if (isRunning(Number.parseInt(name, 10))) continue
    const path = join(folder, name)
    const claimed = join(folder, `${process.pid}-${randomHex(16)}${ENDING}`)
    try {
      await rename(path, claimed)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue // Another process claimed it first.
      throw error
    }
    const contents = readRecords(await readFile(claimed))
    const damagedPath = `${claimed}.damaged`
    const remove = () => (contents.damagedBytes > 0 ? rename(claimed, damagedPath) : rm(claimed, { force: true }))
    yield { ...contents, path: claimed, damagedPath, remove }
  }
}

/** Returns the whole records in a journal's bytes. */
export function readRecords(bytes: Buffer): JournalContents {
  const records: unknown[] = []
  let damagedBytes = 0
  let last = 0
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const payload = payloadAt(bytes, at)
    if (payload === undefined) {
      at += 1
      continue
    }
    records.push(JSON.parse(payload.toString('utf8')))
    damagedBytes += at - last
    at += HEADER_BYTES + payload.length
    last = at
  }
  return { records, tornBytes: bytes.length - last, damagedBytes }
}

const OPENING = '{'.charCodeAt(0)
const CLOSING = '}'.charCodeAt(0)

/** Returns undefined if no whole record starts here. */
function payloadAt(bytes: Buffer, at: number): Buffer | undefined {
  const length = bytes.readUInt32BE(at)
  const end = at + HEADER_BYTES + length
  if (length < 2 || length > RECORD_BYTES_MAX || end > bytes.length) return undefined
  // Damaged bytes are skipped one by one: compute the checksum only where a record is likely.
  if (bytes[at + HEADER_BYTES] !== OPENING || bytes[end - 1] !== CLOSING) return undefined
  const payload = bytes.subarray(at + HEADER_BYTES, end)
  return crc32(payload) === bytes.readUInt32BE(at + 4) ? payload : undefined
}

function frame(record: unknown): Buffer {
  const payload = Buffer.from(JSON.stringify(record))
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(payload.length, 0)
  header.writeUInt32BE(crc32(payload), 4)
  return Buffer.concat([header, payload])
}

async function writeAll(handle: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, start + written)
    written += bytesWritten
  }
}

/** A new file name is durable only after fsync of its folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** In a container, an earlier run of this program may have had the same process id: its files are abandoned too. */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
