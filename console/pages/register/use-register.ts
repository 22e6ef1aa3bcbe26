import { useTranslation } from 'react-i18next'
import { postRegistration } from '../../api/sign-in.ts'
import { useAction } from '../../components/saving.ts'
import type { FormValues } from '../../components/sign-in/account-form.ts'
import type { BotCheckState } from '../../components/sign-in/bot-check.tsx'
import { forgetInviteCode, inviteCode } from '../../components/sign-in/invite-code.ts'
import { FIRST_STEPS } from '../../first-screen.ts'
import { returnPath, withReturnPath } from '../../return-path.ts'
import { useNavigate } from '../../router/hooks.ts'
import { startSession } from '../../session.ts'

/** Creates the account and signs the user in. If password sign-in is disabled, opens the login page instead. */
export function useRegister(check: BotCheckState) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return useAction({
    run: async ({ username = '', password = '', password2 = '', email, verification_code }: FormValues) => {
      const applicant = { username, password, password2, email, verification_code, aff_code: inviteCode() }
      try {
        return await postRegistration({ ...applicant, turnstile: check.token })
      } finally {
        check.renew()
      }
    },
    done: t('account.registered'),
    after: async (user) => {
      const { search } = window.location
      if (user) {
        startSession(user)
        await navigate(returnPath(search) ?? FIRST_STEPS, { replace: true })
      } else await navigate(`/login${withReturnPath(search)}`)
      // This must be last: while the registration page is mounted, it stores the invite code from its URL again.
      forgetInviteCode()
    },
  })
}
