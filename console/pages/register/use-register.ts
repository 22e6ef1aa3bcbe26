import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { register } from '../../api/sign-in.ts'
import { useAct } from '../../components/saving.ts'
import type { Values } from '../../components/sign-in/account-form.ts'
import type { BotCheckState } from '../../components/sign-in/bot-check.tsx'
import { forgetInviteCode, inviteCode } from '../../components/sign-in/invite-code.ts'

/** Makes the account, and goes to the login page. */
export function useRegister(check: BotCheckState) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return useAct({
    run: async ({ username = '', password = '', password2 = '', email, verification_code }: Values) => {
      const applicant = { username, password, password2, email, verification_code, aff_code: inviteCode() }
      try {
        return await register({ ...applicant, turnstile: check.token })
      } finally {
        check.renew()
      }
    },
    done: t('account.registered'),
    after: () => {
      forgetInviteCode()
      return navigate('/login')
    },
  })
}
