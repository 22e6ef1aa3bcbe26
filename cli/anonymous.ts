import type { Cli } from './cli.ts'
import type { CommandToolkit } from './toolkit.ts'

/** Opens a gateway without signing in. `url` is the server's URL; undefined for the local database. */
export async function openAnonymous(
  cli: Cli,
): Promise<Pick<CommandToolkit, 'registration' | 'passwordReset'> & { url: string | undefined }> {
  const target = await cli.target({ anonymous: true })
  if (target.kind === 'local') return { ...(await cli.open()).toolkit, url: undefined }
  const { url } = target.server
  const { remoteAnonymous } = await import('./remote/anonymous.ts')
  return { ...remoteAnonymous(await cli.clientOf({ url })), url }
}
