import type { Backing, Opened } from '../backing.ts'
import type { Cli } from '../cli.ts'
import type { Client } from './client.ts'
import { recordOf } from './outline.ts'
import { remoteToolkit } from './toolkit.ts'

/** Whose an access token is; a server says so without being told whom to expect. */
export interface Identity {
  id: number
  username: string
  role: number
}

/**
 * A server, as the user whose access token it is called with. Who that is, and with which role, is asked each time: a profile
 * does not hear of a promotion.
 */
export async function openRemote({
  cli,
  backing,
}: {
  cli: Pick<Cli, 'clientOf'>
  backing: Extract<Backing, { kind: 'remote' }>
}): Promise<Opened> {
  const caller = await cli.clientOf(backing.server)
  const { id, role } = await identify(caller)
  const client = caller.as(id)
  return { toolkit: remoteToolkit(client), actor: { id, role }, client }
}

/** Throws ACCESS_TOKEN_INVALID, USER_DISABLED, and what the client throws. */
export async function identify(client: Client): Promise<Identity> {
  return await client.read(recordOf<Identity>('id', 'username', 'role'), 'GET', '/api/user/identity')
}
