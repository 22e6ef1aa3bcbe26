import Message from '@arco-design/web-react/es/Message'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { login } from '../../api/users.ts'
import { startSession } from '../../session.ts'

/** Signs in and goes to the overview. */
export function useLogin() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: login,
    onSuccess: (user) => {
      startSession(user)
      Message.success(t('login.done'))
      return navigate('/', { replace: true })
    },
  })
}
