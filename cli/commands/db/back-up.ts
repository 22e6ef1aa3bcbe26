import { closeSync, existsSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../../../core/config.ts'
import { copySqlite } from '../../../core/db/sqlite-copy.ts'
import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'
import { openNew } from '../../output-file.ts'
import { withDatabase } from './open.ts'
import { dumpPostgres } from './pg-dump.ts'

/**
 * Writes a copy, or nothing at all. Throws FILE_EXISTS, FILE_UNWRITABLE, BACKUP_FAILED, INTERRUPTED, and what opening the
 * database throws.
 */
export async function backUp(cli: Cli, path: string, { withKey }: { withKey: boolean }): Promise<void> {
  await withDatabase(cli, async (db, config) => {
    const key = withKey ? masterKey(cli, config) : undefined
    const keyPath = `${path}.secret`
    const made: string[] = []
    const make = (name: string) => {
      const descriptor = openNew(cli.folder, name)
      made.push(resolve(cli.folder, name))
      return descriptor
    }
    const signal = cli.interruption()
    try {
      if (key !== undefined) writeKey(make(keyPath), key)
      closeSync(make(path))
      const file = resolve(cli.folder, path)
      if (db.kind === 'sqlite') await copySqlite(db, file, signal)
      else await dumpPostgres(cli, config.databaseUrl, { file, signal })
      const { size: bytes } = statSync(file)
      const data = { database: db.name, file: path, bytes, ...(key !== undefined && { key_file: keyPath }) }
      cli.report(cli.say`Wrote ${db.name} to ${path}, ${bytes} bytes.`, data)
    } catch (error) {
      for (const file of made) rmSync(file, { force: true })
      if (signal.aborted) throw new CommandError('INTERRUPTED', cli.say`interrupted: no backup was made`)
      if (error instanceof CommandError) throw error
      const { message } = error as Error
      throw new CommandError('BACKUP_FAILED', cli.say`no backup was made: ${message}`, { cause: error })
    }
  })
  if (withKey) return cli.note(cli.say`The master key is in ${path}.secret: keep it apart from the backup.`)
  cli.note(cli.say`Keep the master key too, without which the backup cannot be read: see --with-key.`)
}

function masterKey(cli: Cli, { secret, dataFolder }: Config): string {
  const file = resolve(cli.folder, join(dataFolder, 'tollgate.secret'))
  if (secret !== undefined) return secret
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new CommandError('BACKUP_FAILED', cli.say`there is no master key to copy: neither TOLLGATE_SECRET nor ${file}`)
}

function writeKey(descriptor: number, key: string): void {
  writeSync(descriptor, `${key}\n`)
  closeSync(descriptor)
}
