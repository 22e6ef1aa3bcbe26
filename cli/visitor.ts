import type { Cli } from './cli.ts'
import type { CommandToolkit } from './toolkit.ts'

/** A gateway as somebody asks it who is not signed in, and what it is called in a `tollgate login`. */
export async function openVisitor(
  cli: Cli,
): Promise<Pick<CommandToolkit, 'registration' | 'passwordReset'> & { url: string | undefined }> {
  const backing = await cli.backing({ visitor: true })
  if (backing.kind === 'local') return { ...(await cli.open()).toolkit, url: undefined }
  const { url } = backing.server
  const { remoteVisitor } = await import('./remote/visitor.ts')
  return { ...remoteVisitor(await cli.clientOf({ url })), url }
}
