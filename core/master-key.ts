import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createFolder } from './create-folder.ts'
import type { Database } from './db/database.ts'
import { GatewayError } from './errors.ts'
import { createSecrets, randomAlphanumerics, type Secrets } from './secrets.ts'

const FILE_NAME = 'tollgate.secret'
const FINGERPRINT = 'secret_fingerprint'

/**
 * Returns the secrets of a database: from the configured master key, or from a file of mode 0600 beside the database, which is
 * created for a new database. Throws SECRET_WRONG or SECRET_MISSING before anything is written.
 */
export async function openSecrets(
  db: Database,
  { secret, dataFolder }: { secret: string | undefined; dataFolder: string },
): Promise<Secrets> {
  const file = fileIn(dataFolder)
  const fingerprint = await storedFingerprint(db)
  const key = secret ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
  // An empty file is left by a crash, or another process is about to write it: never a key.
  if (key === '') throw new GatewayError('SECRET_MISSING', { file })
  if (key === undefined && fingerprint !== undefined) throw new GatewayError('SECRET_MISSING', { file })
  const secrets = createSecrets(key ?? makeFile(file))
  if (fingerprint !== undefined && fingerprint !== secrets.fingerprint) throw new GatewayError('SECRET_WRONG', { file })
  return secrets
}

/** Stores the master key's fingerprint in a new database. Throws SECRET_WRONG if another process has just stored another one. */
export async function rememberSecrets(
  db: Database,
  secrets: Secrets,
  { dataFolder }: { dataFolder: string },
): Promise<void> {
  if ((await storedFingerprint(db)) !== undefined) return
  await db.transaction((trx) =>
    trx('meta').insert({ key: FINGERPRINT, value: secrets.fingerprint }).onConflict('key').ignore(),
  )
  // Two processes may have created the database at once with different keys; only one fingerprint is stored.
  if ((await storedFingerprint(db)) !== secrets.fingerprint) {
    throw new GatewayError('SECRET_WRONG', { file: fileIn(dataFolder) })
  }
}

/** Whether a database was encrypted with this master key, or with none yet. */
export async function fitsMasterKey(db: Database, key: string): Promise<boolean> {
  const fingerprint = await storedFingerprint(db)
  return fingerprint === undefined || (key !== '' && createSecrets(key).fingerprint === fingerprint)
}

/** Path of the file for a master key that is not configured. */
export const secretFile = ({ dataFolder }: { dataFolder: string }): string => fileIn(dataFolder)

const fileIn = (dataFolder: string): string => resolve(join(dataFolder, FILE_NAME))

async function storedFingerprint({ reader }: Database): Promise<string | undefined> {
  if (!(await reader.schema.hasTable('meta'))) return undefined
  return (await reader('meta').where({ key: FINGERPRINT }).first('value'))?.value
}

function makeFile(file: string): string {
  const key = randomAlphanumerics(64)
  try {
    createFolder(dirname(file))
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return key
  } catch (error) {
    // Another starting process created the file first.
    if ((error as { code?: string }).code === 'EEXIST') return readFileSync(file, 'utf8').trim()
    throw new GatewayError(
      'DATA_FOLDER_UNWRITABLE',
      { folder: file, reason: (error as Error).message },
      { cause: error },
    )
  }
}
