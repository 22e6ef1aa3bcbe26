import type { Client } from './client.ts'
import { recordOf } from './guards.ts'

/** User of an access token; the server needs no user id for this call. */
export interface Identity {
  id: number
  username: string
  role: number
}

/** Throws ACCESS_TOKEN_INVALID, USER_DISABLED, and the client's errors. */
export async function identify(client: Client): Promise<Identity> {
  return await client.read(recordOf<Identity>('id', 'username', 'role'), 'GET', '/api/user/identity')
}
