import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { dbBackup } from './db/backup.ts'
import { dbCheck } from './db/check.ts'
import { dbCopy } from './db/copy.ts'
import { dbMigrate } from './db/migrate.ts'
import { dbRepair } from './db/repair.ts'
import { dbRestore } from './db/restore.ts'
import { dbStatus } from './db/status.ts'

export function db(cli: Cli): Command {
  return [dbStatus, dbMigrate, dbBackup, dbRestore, dbCopy, dbCheck, dbRepair].reduce(
    (noun, verb) => noun.addCommand(verb(cli)),
    new Command('db'),
  )
}
