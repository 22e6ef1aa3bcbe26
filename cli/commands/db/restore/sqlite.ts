import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createFolder } from '../../../../core/create-folder.ts'
import { openDatabase } from '../../../../core/db/open.ts'
import { holdSqliteAlone } from '../../../../core/db/sqlite-alone.ts'
import { requireSqliteDriver } from '../../../../core/db/sqlite-driver.ts'
import { isDamage } from '../../../../core/db/sqlite-guard.ts'
import { errorMessage } from '../../../../core/error-parts.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { secretFile } from '../../../../core/master-key.ts'
import type { Cli } from '../../../cli.ts'
import { CommandError } from '../../../errors.ts'
import { type CheckedBackup, checkBackup } from './check.ts'
import { type Restored, type RestoreRequest, timeName } from './request.ts'

/** Suffixes of the names of the database file, its write-ahead log, and its shared memory. */
const PARTS = ['', '-wal', '-shm']

/** Copies the backup next to the database, checks the copy, and exchanges the two. A failure leaves the database unchanged. */
export async function restoreSqlite(cli: Cli, target: string, request: RestoreRequest): Promise<Restored> {
  requireSqliteDriver()
  if (request.file === target) throw new CommandError('USAGE', cli.t('db.isTheDatabaseItself', { name: request.name }))
  const copy = `${target}.restoring`
  try {
    copyBackup(cli, request, copy)
    const checked = await checkCopy(cli, copy, request)
    const isReplaced = existsSync(target)
    if (isReplaced) await request.confirm(target)
    const release = isReplaced ? await holdSqliteAlone(target) : async () => {}
    try {
      return { database: target, previous: exchange(copy, target, request, checked), pending: checked.pending }
    } finally {
      await release()
    }
  } finally {
    for (const part of PARTS) rmSync(`${copy}${part}`, { force: true })
  }
}

function copyBackup(cli: Cli, { name, file }: RestoreRequest, copy: string): void {
  try {
    createFolder(dirname(copy), 0o700)
    for (const part of PARTS) {
      rmSync(`${copy}${part}`, { force: true })
      // The backup may be a copy of a killed gateway's database, which has a write-ahead log.
      if (part !== '-shm' && existsSync(`${file}${part}`)) copyPrivately(`${file}${part}`, `${copy}${part}`)
    }
  } catch (cause) {
    throw new CommandError('FILE_UNWRITABLE', cli.t('db.cannotCopy', { name, message: errorMessage(cause) }), { cause })
  }
}

function copyPrivately(from: string, to: string): void {
  closeSync(openSync(to, 'wx', 0o600))
  copyFileSync(from, to)
  const descriptor = openSync(to, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

async function checkCopy(cli: Cli, copy: string, request: RestoreRequest): Promise<CheckedBackup> {
  try {
    const db = await openDatabase(`sqlite:${copy}`)
    const checked = await checkBackup(cli, db, request).finally(() => db.close())
    const release = await holdSqliteAlone(copy)
    await release()
    return checked
  } catch (error) {
    const isSpoiled = isDamage(error) || (error instanceof GatewayError && error.code === 'DATABASE_DAMAGED')
    if (!isSpoiled) throw error
    throw new CommandError('BACKUP_INVALID', cli.t('db.isDamagedOrNotAnSQLite', { name: request.name }), {
      cause: error,
    })
  }
}

/**
 * Moves the database, its journal and a master key of another database into a new folder. Then moves the copy to the database's
 * place, and writes the key of the copy. If a step fails, undoes all steps. Returns the new folder, or undefined if nothing was
 * moved.
 */
function exchange(
  copy: string,
  target: string,
  { config }: RestoreRequest,
  { key }: CheckedBackup,
): string | undefined {
  const folder = dirname(target)
  const secret = secretFile(config)
  const oldPaths = [
    ...PARTS.map((part) => `${target}${part}`),
    join(folder, 'journal'),
    ...(key === undefined ? [] : [secret]),
  ]
  const moves = oldPaths.filter((path) => existsSync(path))
  const previous = join(folder, `before-restore-${timeName(new Date())}`)
  const undo: (() => void)[] = []
  try {
    if (moves.length > 0) {
      mkdirSync(previous, { mode: 0o700 })
      undo.push(() => rmdirSync(previous))
    }
    for (const path of moves) {
      const newPath = join(previous, basename(path))
      renameSync(path, newPath)
      undo.push(() => renameSync(newPath, path))
    }
    if (key !== undefined) {
      undo.push(() => rmSync(secret, { force: true }))
      writeFileSync(secret, `${key}\n`, { mode: 0o600, flag: 'wx' })
    }
    renameSync(copy, target)
  } catch (error) {
    for (const step of undo.reverse()) step()
    throw error
  }
  syncFolder(folder)
  return moves.length > 0 ? previous : undefined
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
