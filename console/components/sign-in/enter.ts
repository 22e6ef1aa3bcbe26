import Message from '@arco-design/web-react/es/Message'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { FIRST_SCREEN } from '../../first-screen.ts'
import { type SessionUser, startSession } from '../../session.ts'
import { forgetInviteCode } from './invite-code.ts'

/** What follows a login of whatever kind: the user is stored, and goes to the console. */
export function useEnter(): (user: SessionUser) => unknown {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (user) => {
    startSession(user)
    forgetInviteCode()
    Message.success(t('login.done'))
    return navigate(FIRST_SCREEN, { replace: true })
  }
}
