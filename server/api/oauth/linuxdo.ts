import { OPTIONS } from '../../../core/options/registry.ts'
import { accessTokenOf, callIdentityProvider, textOrNone, unusableReplyError } from './ask.ts'
import { callbackAddress, callbackRoutes } from './callback.ts'

/** Sign-in with LinuxDO (https://connect.linux.do), an OAuth server whose user ids are numbers. */
export const linuxdoRoutes = callbackRoutes({
  provider: 'linuxdo',
  enabled: OPTIONS.LinuxDOOAuthEnabled,
  async identify({ toolkit: { options }, config: { services } }, { code, request }) {
    const [id, secret] = [options.get(OPTIONS.LinuxDOClientId), options.get(OPTIONS.LinuxDOClientSecret)]
    const credentials = Buffer.from(`${id}:${secret}`).toString('base64')
    const redirect_uri = callbackAddress(options, request, '/api/oauth/linuxdo')
    const exchange = await callIdentityProvider('linuxdo', `${services.linuxdo}/oauth2/token`, {
      form: { grant_type: 'authorization_code', code, redirect_uri },
      headers: { authorization: `Basic ${credentials}` },
      hide: [credentials, secret, code],
    })
    const token = accessTokenOf('linuxdo', exchange)
    const user = await callIdentityProvider('linuxdo', `${services.linuxdo}/api/user`, {
      headers: { authorization: `Bearer ${token}` },
      hide: [credentials, secret, code, token],
    })
    if (!Number.isSafeInteger(user.id) || Number(user.id) <= 0) throw unusableReplyError('linuxdo', 'no user id')
    return { provider: 'linuxdo', id: String(user.id), name: textOrNone(user.name) }
  },
})
