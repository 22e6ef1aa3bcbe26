import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

/** Returns the operations on the user's own account. */
export function remoteOwnAccount(client: Client): Pick<CommandToolkit, 'profile' | 'accessTokens'> {
  const self = () => client.read('GET /api/user/self')
  return {
    profile: {
      get: self,
      async update(_actor, changes) {
        await client.call('PUT /api/user/self', { body: changes })
        return undefined
      },
      async delete() {
        await client.call('DELETE /api/user/self')
      },
      inviteCode: () => client.read('GET /api/user/aff'),
      async transferInvites(_actor, quota, idempotency) {
        await client.call('POST /api/user/aff_transfer', { idempotency, body: { quota } })
      },
      async bindEmail(_actor, proof) {
        await client.call('PUT /api/user/self/email', { body: proof })
      },
    },
    accessTokens: {
      create: () => client.read('GET /api/user/token'),
      async own() {
        return (await self()).access_token
      },
    },
  }
}
