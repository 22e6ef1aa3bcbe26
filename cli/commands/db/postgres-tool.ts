import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { errorCode } from '../../../core/error-parts.ts'
import type { Cli } from '../../cli.ts'

const OUTPUT_LENGTH_MAX = 500

/** Error for a PostgreSQL program that is not installed. */
export class ToolMissingError extends Error {}

/**
 * Runs a PostgreSQL program to its end. Throws an Error with the end of the program's error output, ToolMissingError if
 * the program is not installed, and an AbortError if the signal aborts the program.
 */
export async function runPostgresTool(
  cli: Pick<Cli, 'env' | 't'>,
  {
    program,
    flags,
    databaseUrl,
    signal,
  }: { program: 'pg_dump' | 'pg_restore'; flags: string[]; databaseUrl?: string | undefined; signal: AbortSignal },
): Promise<void> {
  const connection = databaseUrl === undefined ? { flags: [], env: {} } : connectionOf(databaseUrl)
  const child = spawn(program, [...connection.flags, ...flags], {
    env: { ...cli.env, ...connection.env },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-OUTPUT_LENGTH_MAX)
  })
  const [code] = (await once(child, 'close').catch((cause: unknown) => {
    if (errorCode(cause) === 'ENOENT')
      throw new ToolMissingError(cli.t('db.isNotInstalledOnThisMachine', { program }), { cause })
    throw cause
  })) as [number | null]
  if (code !== 0) throw new Error(cli.t('db.failed', { program, output: output.trim() || String(code) }))
}

/**
 * Returns flags and environment for a connection. The password is not in the flags, because all users can read the
 * flags of a process.
 */
function connectionOf(databaseUrl: string): { flags: string[]; env: Record<string, string> } {
  const url = new URL(databaseUrl)
  const [inQuery] = url.searchParams.getAll('password')
  const password = inQuery ?? decodeURIComponent(url.password)
  url.password = ''
  // Keep the other parameters as they are: URLSearchParams writes spaces as `+`, which PostgreSQL does not decode.
  const parameters = url.search.slice(1).split('&')
  url.search = parameters.filter((parameter) => !parameter.startsWith('password=')).join('&')
  return { flags: [`--dbname=${url}`], env: password ? { PGPASSWORD: password } : {} }
}
