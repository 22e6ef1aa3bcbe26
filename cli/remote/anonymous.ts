import type { CommandToolkit } from '../toolkit.ts'
import type { Client } from './client.ts'

/** Returns the operations that need no session. The client sends the command's language with each call. */
export function remoteAnonymous(client: Client): Pick<CommandToolkit, 'registration' | 'passwordReset'> {
  return {
    registration: {
      async register(applicant) {
        await client.call('POST /api/user/register', { body: applicant })
      },
      async sendCode(email) {
        await client.call('GET /api/verification', { query: { email } })
      },
    },
    passwordReset: {
      async sendLink(email) {
        await client.call('GET /api/reset_password', { query: { email } })
      },
      async reset(request) {
        return { password: await client.read('POST /api/user/reset', { body: request }) }
      },
    },
  }
}
