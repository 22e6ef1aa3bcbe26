import type { Cli } from './cli.ts'
import type { CommandToolkit } from './toolkit.ts'

/** Opens a gateway without signing in. `url`: for `tollgate login`; undefined for the local database. */
export async function openAnonymous(
  cli: Cli,
): Promise<Pick<CommandToolkit, 'registration' | 'passwordReset'> & { url: string | undefined }> {
  const backing = await cli.backing({ visitor: true })
  if (backing.kind === 'local') return { ...(await cli.open()).toolkit, url: undefined }
  const { url } = backing.server
  const { remoteVisitor } = await import('./remote/visitor.ts')
  return { ...remoteVisitor(await cli.clientOf({ url })), url }
}
