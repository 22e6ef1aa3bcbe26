import type { Client } from './client.ts'
import { hasFields } from './guards.ts'

/** The user of an access token. */
interface AccessTokenUser {
  id: number
  username: string
  role: number
}

/**
 * Returns the user of the client's access token. The client does not need the user's id. Throws ACCESS_TOKEN_INVALID,
 * USER_DISABLED, and client errors.
 */
export async function fetchIdentity(client: Client): Promise<AccessTokenUser> {
  return await client.read(hasFields<AccessTokenUser>('id', 'username', 'role'), 'GET', '/api/user/identity')
}
