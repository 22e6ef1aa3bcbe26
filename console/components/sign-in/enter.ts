import Message from '@arco-design/web-react/es/Message'
import { useTranslation } from 'react-i18next'
import { FIRST_SCREEN } from '../../first-screen.ts'
import { returnPath } from '../../return-path.ts'
import { useNavigate } from '../../router/hooks.ts'
import { type SessionUser, startSession } from '../../session.ts'
import { forgetInviteCode } from './invite-code.ts'

/** Returns a function that stores the user after a sign-in, and opens the return path or the first screen. */
export function useEnter(): (user: SessionUser) => unknown {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (user) => {
    startSession(user)
    forgetInviteCode()
    Message.success(t('login.done'))
    return navigate(returnPath(window.location.search) ?? FIRST_SCREEN, { replace: true })
  }
}
