import type { Cli } from '../cli.ts'
import type { OpenedTarget, Target } from '../target.ts'
import { fetchIdentity } from './identity.ts'
import { remoteToolkit } from './toolkit.ts'

/**
 * Opens a server as the owner of the access token. Reads the role from the server, because a stored role may be old.
 */
export async function openRemote({
  cli,
  target,
}: {
  cli: Pick<Cli, 'clientOf'>
  target: Extract<Target, { kind: 'remote' }>
}): Promise<OpenedTarget> {
  const clientWithoutUser = await cli.clientOf(target.server)
  const { id, role } = await fetchIdentity(clientWithoutUser)
  const client = clientWithoutUser.as(id)
  return { toolkit: remoteToolkit(client), actor: { id, role }, client }
}
