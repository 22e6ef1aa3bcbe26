import { constants } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { createFolder } from '../create-folder.ts'
import { errorCode } from '../error-parts.ts'
import { recordOf } from '../records.ts'
import { randomHex } from '../secrets.ts'
import { syncFolder } from '../sync-folder.ts'
import type { Settlement } from './batch.ts'

/**
 * A journal is a file of records. Each record has a header of 8 bytes (length and CRC-32 of the payload, big endian)
 * and a payload of JSON in UTF-8. A crash can truncate only the last record. A disk error can damage any record. After
 * a damaged record, reading continues at the next whole record.
 */

const HEADER_BYTES = 8
/** Maximum length of a record. A larger length in a header means damage, because a batch of charges is far smaller. */
const RECORD_BYTES_MAX = 64 * 1024 * 1024
const ENDING = '.journal'

/** The charges that one process could not write to the database, stored on disk. */
export type Journal = ReturnType<typeof createJournal>

/** Creates the journal of this process. The first record creates the file. */
export function createJournal(folder: string) {
  let file: { handle: FileHandle; path: string; size: number } | undefined
  /** The last queued operation. Operations run one after the other. */
  let lastOperation: Promise<void> = Promise.resolve()

  async function openFile(): Promise<NonNullable<typeof file>> {
    createFolder(folder, 0o700)
    const path = join(folder, `${process.pid}-${randomHex(16)}${ENDING}`)
    const handle = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600)
    await syncFolder(folder)
    return { handle, path, size: 0 }
  }

  /** Returns whether the path still names the open file, which another container may have claimed and removed. */
  async function isStillOurs({ handle, path }: NonNullable<typeof file>): Promise<boolean> {
    const [handleStat, pathStat] = await Promise.all([handle.stat(), stat(path).catch(() => undefined)])
    return handleStat.ino === pathStat?.ino
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
      // Remove the incomplete record, because the file must contain only whole records.
      await handle.truncate(size)
      throw error
    }
  }

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const operation = lastOperation.then(work)
    lastOperation = operation.catch(() => {}) // The caller gets the error through `operation`.
    return operation
  }

  return {
    /** Appends a record. Resolves when it is on disk (fdatasync). A failed write rejects; the file stays unchanged. */
    append: (record: unknown): Promise<void> => inTurn(() => write(record)),
    /** Removes the file. Must only be called when all its charges are in the database. */
    clear: (): Promise<void> =>
      inTurn(async () => {
        const { handle, path } = file ?? {}
        file = undefined
        await handle?.close()
        if (path) await rm(path, { force: true })
      }),
    /** Closes the file and keeps it on disk. */
    close: (): Promise<void> =>
      inTurn(async () => {
        await file?.handle.close()
        file = undefined
      }),
  }
}

/** The parsed contents of a journal. */
interface JournalContents {
  records: unknown[]
  /** Number of bytes after the last whole record: the part of a record that a crash has interrupted. */
  tornBytes: number
  /** Number of damaged bytes before a whole record. Only an operator can restore the charges in these bytes. */
  damagedBytes: number
}

/** The journal of a dead process. */
interface LeftJournal extends JournalContents {
  readonly path: string
  /** The path to which `remove` moves a damaged journal. */
  readonly damagedPath: string
  /** Removes the file, or moves a damaged file to `damagedPath`. All records must be in the database. */
  remove(): Promise<void>
}

/** Claims the journals of dead processes, one after the other. Only one process gets each journal. */
export async function* claimJournals(folder: string): AsyncGenerator<LeftJournal> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter((each) => each.endsWith(ENDING)).sort()) {
    if (isRunning(Number.parseInt(name, 10))) continue
    const path = join(folder, name)
    const claimedPath = join(folder, `${process.pid}-${randomHex(16)}${ENDING}`)
    try {
      await rename(path, claimedPath)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') continue // Another process has claimed the journal.
      throw error
    }
    const contents = readJournalRecords(await readFile(claimedPath))
    const damagedPath = `${claimedPath}.damaged`
    const remove = () =>
      contents.damagedBytes > 0 ? rename(claimedPath, damagedPath) : rm(claimedPath, { force: true })
    yield { ...contents, path: claimedPath, damagedPath, remove }
  }
}

/** Returns the whole records in a journal's bytes. */
export function readJournalRecords(bytes: Buffer): JournalContents {
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

/** Returns the payload of the record that starts at `at`, or undefined if no whole record starts there. */
function payloadAt(bytes: Buffer, at: number): Buffer | undefined {
  const length = bytes.readUInt32BE(at)
  const end = at + HEADER_BYTES + length
  if (length < 2 || length > RECORD_BYTES_MAX || end > bytes.length) return undefined
  // `readJournalRecords` tries each byte of a damaged part. So compute the checksum only if the first and last byte are
  // those of a record.
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

/**
 * Returns whether another process with this id is running. Returns false for this process's own id. In a container, an
 * earlier process may have had the same id, so its files are abandoned.
 */
function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** One record of the journal: charges that the process could not write to the database. */
interface ChargeRecord {
  version: 1
  /** When the record was written, in Unix seconds. Settlements of Tollgate 0.1 have only this time. */
  at: number
  settlements: readonly Settlement[]
}

export function toRecord(settlements: readonly Settlement[], at: number): ChargeRecord {
  return { version: 1, at, settlements }
}

/** Returns the settlements of a record. Throws if the record does not have the form of version 1. */
export function fromRecord(record: unknown, path: string): Settlement[] {
  if (!isChargeRecord(record)) {
    throw new Error(
      `The journal of charges ${path} has a record that this version cannot read: start the version that wrote it, or move the file away and settle its charges by hand`,
    )
  }
  return record.settlements.map((settlement) => ({ ...settlement, at: settlement.at ?? record.at, isJournaled: true }))
}

function isChargeRecord(record: unknown): record is ChargeRecord {
  const { version, at, settlements } = recordOf(record)
  return version === 1 && Number.isSafeInteger(at) && Array.isArray(settlements) && settlements.every(isSettlement)
}

/** Checks the ids and amounts that every settlement needs. Trusts the other fields. */
function isSettlement(value: unknown): value is Settlement {
  const { charge, nodeId, userShrink, tokenShrink, budgetTokenId } = recordOf(value)
  const { requestId, userId, quota } = recordOf(charge)
  return (
    typeof requestId === 'string' &&
    typeof nodeId === 'string' &&
    [userId, quota, userShrink, tokenShrink, budgetTokenId].every(isNonNegativeInteger)
  )
}

const isNonNegativeInteger = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
