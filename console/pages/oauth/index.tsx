import Alert from '@arco-design/web-react/es/Alert'
import Spin from '@arco-design/web-react/es/Spin'
import { useTranslation } from 'react-i18next'
import { useTitle } from '../../components/title.ts'
import { useParams } from '../../router/hooks.ts'
import { Link } from '../../router/link.tsx'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import NotFoundPage from '../not-found.tsx'
import './oauth.css'
import { type ArrivalProvider, isProvider } from './arrival.ts'
import { useProviderArrival } from './use-arrival.ts'

/** The page to which providers and Telegram's button redirect. */
export default function OauthPage() {
  const { provider = '' } = useParams()
  return isProvider(provider) ? <Arrival provider={provider} /> : <NotFoundPage />
}

function Arrival({ provider }: { provider: ArrivalProvider }) {
  const { t } = useTranslation()
  const { failed, isUnknown } = useProviderArrival(provider)
  useTitle(t('account.arrivalTitle'))
  return (
    <div className="page-centre oauth-arrival" role="status">
      <h1>{t('account.arrivalTitle')}</h1>
      {isUnknown ? (
        <UnknownArrival />
      ) : failed ? (
        <Alert type="error" content={t('account.arrivalFailed')} />
      ) : (
        <Spin tip={t('account.arriving')} />
      )}
    </div>
  )
}

function UnknownArrival() {
  const { t } = useTranslation()
  const { user } = useStore(session)
  return (
    <>
      <Alert type="warning" content={t('account.arrivalForeign')} />
      {user ? <Link to="/setting">{t('screen.setting')}</Link> : <Link to="/login">{t('account.toLogin')}</Link>}
    </>
  )
}
