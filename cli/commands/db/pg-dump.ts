import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'
import { runPostgresTool, ToolMissingError } from './postgres-tool.ts'

/** Runs pg_dump. Throws BACKUP_FAILED with its error output, or with an alternative if it is not installed. */
export async function dumpPostgres(
  cli: Cli,
  databaseUrl: string,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<void> {
  const flags = ['--format=custom', `--file=${file}`]
  await runPostgresTool(cli, { program: 'pg_dump', flags, databaseUrl, signal }).catch((error) => {
    if (signal.aborted) throw error
    const { message } = error as Error
    if (!(error instanceof ToolMissingError)) throw new CommandError('BACKUP_FAILED', message, { cause: error })
    const command = `pg_dump --format=custom --file=${file} "$DATABASE_URL"`
    throw new CommandError('BACKUP_FAILED', cli.say`pg_dump is not on this machine: run it elsewhere, as ${command}`)
  })
}
