import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createFolder } from './create-folder.ts'
import type { Database } from './db/database.ts'
import { errorCode, errorMessage } from './error-parts.ts'
import { GatewayError } from './errors.ts'
import { createSecrets, randomAlphanumerics, type Secrets } from './secrets.ts'

const FILE_NAME = 'tollgate.secret'
const FINGERPRINT = 'secret_fingerprint'

/**
 * Returns the secrets of a database, from the configured master key or from a file in the data folder. If the database
 * is new and neither exists, creates the file with mode 0600. Throws SECRET_MISSING, SECRET_WRONG or
 * DATA_FOLDER_UNWRITABLE.
 */
export async function openSecrets(
  db: Database,
  { secret, dataFolder }: { secret: string | undefined; dataFolder: string },
): Promise<Secrets> {
  const file = fileIn(dataFolder)
  const fingerprint = await storedFingerprint(db)
  const key = secret ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)
  // A crash has left an empty file, or another process is about to write the key.
  if (key === '') throw new GatewayError('SECRET_MISSING', { file })
  if (key === undefined && fingerprint !== undefined) throw new GatewayError('SECRET_MISSING', { file })
  const secrets = createSecrets(key ?? createKeyFile(file))
  if (fingerprint !== undefined && fingerprint !== secrets.fingerprint) throw new GatewayError('SECRET_WRONG', { file })
  return secrets
}

/** Stores the fingerprint of the master key in a new database. Throws SECRET_WRONG if there is another one. */
export async function rememberSecrets(
  db: Database,
  secrets: Secrets,
  { dataFolder }: { dataFolder: string },
): Promise<void> {
  if ((await storedFingerprint(db)) !== undefined) return
  await db.transaction((trx) =>
    trx('meta').insert({ key: FINGERPRINT, value: secrets.fingerprint }).onConflict('key').ignore(),
  )
  // Two processes may have created the database at the same time with different keys. Only one fingerprint is stored.
  if ((await storedFingerprint(db)) !== secrets.fingerprint) {
    throw new GatewayError('SECRET_WRONG', { file: fileIn(dataFolder) })
  }
}

/** Returns whether a database uses this master key, or has no master key yet. */
export async function fitsMasterKey(db: Database, key: string): Promise<boolean> {
  const fingerprint = await storedFingerprint(db)
  return fingerprint === undefined || (key !== '' && createSecrets(key).fingerprint === fingerprint)
}

/** Returns the path of the file with the master key, which is used if no key is configured. */
export const secretFile = ({ dataFolder }: { dataFolder: string }): string => fileIn(dataFolder)

const fileIn = (dataFolder: string): string => resolve(join(dataFolder, FILE_NAME))

async function storedFingerprint({ reader }: Database): Promise<string | undefined> {
  if (!(await reader.schema.hasTable('meta'))) return undefined
  return (await reader('meta').where({ key: FINGERPRINT }).first('value'))?.value
}

function createKeyFile(file: string): string {
  const key = randomAlphanumerics(64)
  try {
    createFolder(dirname(file))
    writeFileSync(file, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return key
  } catch (error) {
    // Another starting process has created the file.
    if (errorCode(error) === 'EEXIST') return readFileSync(file, 'utf8').trim()
    throw new GatewayError('DATA_FOLDER_UNWRITABLE', { folder: file, reason: errorMessage(error) }, { cause: error })
  }
}
