import type { User } from '../../../core/accounts/user.ts'
import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'
import { createClient } from '../../remote/client.ts'
import { hasFields, isText } from '../../remote/guards.ts'
import type { LoginOptions } from '../login.ts'

/** Flags that replace the prompts. */
const MISSING = '--username, --password-stdin'

/**
 * Signs in like a browser, gets or creates the user's access token, and signs out. Throws NOT_SIGNED_IN if the server requires
 * more than a password, and the server's errors.
 */
export async function byPassword(
  cli: Cli,
  { url, botCheck }: { url: string; botCheck: boolean },
  { username: givenName, passwordStdin }: LoginOptions,
): Promise<string> {
  if (botCheck) throw wantsMore(cli.t('server.requiresABotCheckAtSign', { url }))
  const username = givenName ?? (await (await cli.prompts(MISSING)).input({ message: cli.t('server.username') }))
  const password = passwordStdin
    ? await cli.readInput()
    : await (await cli.prompts(MISSING)).password({ message: cli.t('ui.password'), mask: true })
  const anonymousClient = await cli.clientOf({ url })
  const { data, headers } = await anonymousClient.ask('POST', '/api/user/login', { body: { username, password } })
  const id = (data as Partial<User> | undefined)?.id
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  if (id === undefined || cookie === '') throw wantsMore(cli.t('server.requiresMoreThanAPassword', { url }))
  const session = createClient({ url, userId: id }, { texts: cli, env: cli.env, headers: { cookie } })
  const { access_token } = await session.read(hasFields<User>('id'), 'GET', '/api/user/self')
  const token = access_token || (await session.read(isText, 'GET', '/api/user/token'))
  // A failed logout is harmless, because the session expires by itself.
  await session.call('GET', '/api/user/logout').catch(() => undefined)
  return token

  function wantsMore(what: string): CommandError {
    return new CommandError('NOT_SIGNED_IN', cli.t('server.createAnAccessToken', { reason: what }))
  }
}
