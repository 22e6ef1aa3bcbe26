import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'

const PROGRAM = 'pg_dump'
const SAID_MAX = 500

/** Has PostgreSQL's own program write the database to a file. Throws BACKUP_FAILED with what it said, or how to do without. */
export async function dumpPostgres(
  cli: Cli,
  databaseUrl: string,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<void> {
  const url = new URL(databaseUrl)
  // Everybody on the machine can read the arguments of a process, but not its environment.
  const password = decodeURIComponent(url.password)
  url.password = ''
  const child = spawn(PROGRAM, ['--format=custom', `--file=${file}`, `--dbname=${url}`], {
    env: { ...cli.env, ...(password && { PGPASSWORD: password }) },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-SAID_MAX)
  })
  const [code] = (await once(child, 'close').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT') throw cause
    const command = `pg_dump --format=custom --file=${file} "$DATABASE_URL"`
    throw new CommandError('BACKUP_FAILED', cli.say`pg_dump is not on this machine: run it elsewhere, as ${command}`)
  })) as [number | null]
  if (code !== 0) throw new CommandError('BACKUP_FAILED', cli.say`pg_dump failed: ${said.trim() || String(code)}`)
}
