import { useTranslation } from 'react-i18next'
import { logout } from '../api/users.ts'
import { useAct } from '../components/saving.ts'
import { endSession } from '../session.ts'

/** Signs out, here and on the server; the guard then leads to the login page. */
export function useLogout() {
  const { t } = useTranslation()
  return useAct({ run: logout, done: t('layout.logoutDone'), after: () => endSession({ expired: false }) })
}
