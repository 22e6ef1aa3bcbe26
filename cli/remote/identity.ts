import type { Data } from '../../core/api/calls.ts'
import type { Client } from './client.ts'

/**
 * Returns the user of the client's access token. The client does not need the user's id. Throws ACCESS_TOKEN_INVALID,
 * USER_DISABLED, and client errors.
 */
export async function fetchIdentity(client: Client): Promise<Data<'GET /api/user/identity'>> {
  return await client.read('GET /api/user/identity')
}
