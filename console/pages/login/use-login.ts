import { useTranslation } from 'react-i18next'
import { postLogin } from '../../api/sign-in.ts'
import { useAction } from '../../components/saving.ts'
import type { BotCheckState } from '../../components/sign-in/bot-check.tsx'
import { useEnter } from '../../components/sign-in/enter.ts'
import { useNavigate } from '../../router/hooks.ts'

/** The default credentials of the root account in a new gateway. */
const DEFAULT_ROOT = { username: 'root', password: '123456' }

interface Credentials {
  username: string
  password: string
}

export function useLogin(check: BotCheckState) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const enter = useEnter()
  return useAction({
    run: async (credentials: Credentials) => {
      try {
        return await postLogin({ ...credentials, turnstile: check.token })
      } finally {
        check.renew()
      }
    },
    after: async (user, { username, password }) => {
      await enter(user)
      if (username !== DEFAULT_ROOT.username || password !== DEFAULT_ROOT.password) return
      const { warnOfDefaultPassword } = await import('./default-password.ts')
      warnOfDefaultPassword(t, () => navigate('/setting'))
    },
  })
}
