import { OPTIONS } from '../../../core/options/registry.ts'
import { accessTokenOf, callIdentityProvider, textOrNone, unusableReplyError } from './ask.ts'
import { callbackRoutes } from './callback.ts'

/**
 * Sign-in with GitHub: https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps. The id is
 * the login name, as in existing databases. GitHub users can change this name.
 */
export const githubRoutes = callbackRoutes({
  provider: 'github',
  enabled: OPTIONS.GitHubOAuthEnabled,
  async identify({ toolkit: { options }, config: { services } }, { code }) {
    const client_secret = options.get(OPTIONS.GitHubClientSecret)
    const exchange = await callIdentityProvider('github', `${services.github}/login/oauth/access_token`, {
      json: { client_id: options.get(OPTIONS.GitHubClientId), client_secret, code },
      hide: [client_secret, code],
    })
    const token = accessTokenOf('github', exchange)
    const user = await callIdentityProvider('github', `${services.githubApi}/user`, {
      headers: { authorization: `Bearer ${token}` },
      hide: [client_secret, code, token],
    })
    const id = textOrNone(user.login)
    if (id === undefined) throw unusableReplyError('github', 'no login name')
    return { provider: 'github', id, name: textOrNone(user.name), email: textOrNone(user.email) }
  },
})
