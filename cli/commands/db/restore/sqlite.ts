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
import { lockSqlite } from '../../../../core/db/sqlite-alone.ts'
import { requireSqliteDriver } from '../../../../core/db/sqlite-driver.ts'
import { isDamage } from '../../../../core/db/sqlite-guard.ts'
import { GatewayError } from '../../../../core/errors.ts'
import { secretFile } from '../../../../core/master-key.ts'
import { fileErrorText } from '../../../../core/messages/file-errors.ts'
import { syncFolder } from '../../../../core/sync-folder.ts'
import type { Cli } from '../../../cli.ts'
import { CommandError } from '../../../errors.ts'
import { type CheckedBackup, checkBackup } from './check.ts'
import { type Restored, type RestoreRequest, timeName } from './request.ts'

/** Suffixes of the file names of a database: the main file, the write-ahead log, and the shared memory. */
const FILE_SUFFIXES = ['', '-wal', '-shm']

/** Copies the backup next to the database, checks the copy, and replaces the database. A failure changes nothing. */
export async function restoreSqlite(cli: Cli, target: string, request: RestoreRequest): Promise<Restored> {
  requireSqliteDriver()
  if (request.file === target) throw new CommandError('USAGE', cli.t('db.isTheDatabaseItself', { name: request.name }))
  const copy = `${target}.restoring`
  try {
    copyBackup(cli, request, copy)
    const checked = await checkCopy(cli, copy, request)
    const isReplaced = existsSync(target)
    if (isReplaced) await request.confirm(target)
    const unlock = isReplaced ? await lockSqlite(target) : async () => {}
    try {
      const previous = await exchange(copy, target, request, checked)
      return { database: target, previous, pending: checked.pending }
    } finally {
      await unlock()
    }
  } finally {
    for (const suffix of FILE_SUFFIXES) rmSync(`${copy}${suffix}`, { force: true })
  }
}

function copyBackup(cli: Cli, { name, file }: RestoreRequest, copy: string): void {
  try {
    createFolder(dirname(copy), 0o700)
    for (const suffix of FILE_SUFFIXES) {
      rmSync(`${copy}${suffix}`, { force: true })
      // The backup may be a copy of a killed gateway's database, which has a write-ahead log.
      if (suffix !== '-shm' && existsSync(`${file}${suffix}`)) copyPrivately(`${file}${suffix}`, `${copy}${suffix}`)
    }
  } catch (cause) {
    throw new CommandError(
      'FILE_UNWRITABLE',
      cli.t('db.cannotCopy', { name, message: fileErrorText(cause, cli.language) }),
      { cause },
    )
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
    const unlock = await lockSqlite(copy)
    await unlock()
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
 * Moves the database and its journal into a new folder. If the backup has another master key, also moves the current
 * key there, and writes the key of the backup. Then moves the copy to the path of the database. If a step fails, undoes
 * all steps. Returns the new folder; undefined if nothing was moved.
 */
async function exchange(
  copy: string,
  target: string,
  { config }: RestoreRequest,
  { key }: CheckedBackup,
): Promise<string | undefined> {
  const folder = dirname(target)
  const secret = secretFile(config)
  const oldPaths = [
    ...FILE_SUFFIXES.map((suffix) => `${target}${suffix}`),
    join(folder, 'journal'),
    ...(key === undefined ? [] : [secret]),
  ]
  const existingPaths = oldPaths.filter((path) => existsSync(path))
  const previous = join(folder, `before-restore-${timeName(new Date())}`)
  const undo: (() => void)[] = []
  try {
    if (existingPaths.length > 0) {
      mkdirSync(previous, { mode: 0o700 })
      undo.push(() => rmdirSync(previous))
    }
    for (const path of existingPaths) {
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
  await syncFolder(folder)
  return existingPaths.length > 0 ? previous : undefined
}
