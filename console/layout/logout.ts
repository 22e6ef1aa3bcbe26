import { useTranslation } from 'react-i18next'
import { postLogout } from '../api/users.ts'
import { useAction } from '../components/saving.ts'
import { endSession } from '../session.ts'

/** Signs out on the server and in this browser. The guard then redirects to the login page. */
export function useLogout() {
  const { t } = useTranslation()
  return useAction({ run: postLogout, done: t('layout.logoutDone'), after: () => endSession({ expired: false }) })
}
