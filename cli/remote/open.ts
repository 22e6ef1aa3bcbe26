import type { Cli } from '../cli.ts'
import type { OpenedTarget, Target } from '../target.ts'
import { fetchIdentity } from './identity.ts'
import { remoteToolkit } from './toolkit.ts'

/** Opens a server as the access token's owner. Reads the user each time: the profile's role may be outdated. */
export async function openRemote({
  cli,
  target,
}: {
  cli: Pick<Cli, 'clientOf'>
  target: Extract<Target, { kind: 'remote' }>
}): Promise<OpenedTarget> {
  const caller = await cli.clientOf(target.server)
  const { id, role } = await fetchIdentity(caller)
  const client = caller.as(id)
  return { toolkit: remoteToolkit(client), actor: { id, role }, client }
}
