import Alert from '@arco-design/web-react/es/Alert'
import Message from '@arco-design/web-react/es/Message'
import Spin from '@arco-design/web-react/es/Spin'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client.ts'
import {
  bindTelegram,
  CODE_PROVIDERS,
  type CodeProviderName,
  finishSignIn,
  loginByTelegram,
} from '../../api/sign-in.ts'
import { useAction } from '../../components/saving.ts'
import { useEnter } from '../../components/sign-in/enter.ts'
import { signedByTelegram, takeTelegramState } from '../../components/sign-in/telegram-state.ts'
import { useTitle } from '../../components/title.ts'
import { useNavigate, useParams, useSearchParams } from '../../router/hooks.ts'
import { Link } from '../../router/link.tsx'
import { type SessionUser, session } from '../../session.ts'
import { useStore } from '../../store.ts'
import NotFoundPage from '../not-found.tsx'
import './oauth.css'

/** The page to which providers and Telegram's button redirect. */
export default function OauthPage() {
  const { provider = '' } = useParams()
  return isProvider(provider) ? <Arrival provider={provider} /> : <NotFoundPage />
}

function Arrival({ provider }: { provider: ArrivalProvider }) {
  const { t } = useTranslation()
  const { failed, isUnknown } = useProviderArrival(provider)
  useTitle(t('screen.oauth'))
  return (
    <div className="page-centre oauth-arrival" role="status">
      <h1>{t('screen.oauth')}</h1>
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

const REDIRECT_MS = 2_000
const SETTINGS = '/setting'

/** The last submitted callback. The page remounts after a sign-in, but must not send the callback's code twice. */
let submitted: string | undefined

/**
 * Signs in or binds an account with the provider's parameters in the URL, then redirects. `failed` is true after an
 * error. `isUnknown` is true if the sign-in began in another browser. The callback may then belong to another person,
 * so it is not sent to the server.
 */
function useProviderArrival(provider: ArrivalProvider): { failed: boolean; isUnknown: boolean } {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const enter = useEnter()
  const [query] = useSearchParams()
  const [isUnknown, setUnknown] = useState(false)
  const { mutate, isError: failed } = useAction({
    run: submitArrival,
    after: (user) => {
      if (user) return enter(user)
      Message.success(t('account.bound'))
      return navigate(SETTINGS, { replace: true })
    },
  })

  useEffect(() => {
    const arrival = `${provider}?${query}`
    if (arrival === submitted) return
    if (!startedHere(provider, query)) return setUnknown(true)
    submitted = arrival
    mutate({ provider, query })
  }, [provider, query, mutate])

  useEffect(() => {
    if (!failed) return
    const timer = setTimeout(() => void navigate(SETTINGS, { replace: true }), REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [failed, navigate])

  return { failed, isUnknown }
}

type ArrivalProvider = CodeProviderName | 'telegram'

const isProvider = (name: string): name is ArrivalProvider =>
  name === 'telegram' || CODE_PROVIDERS.some((provider) => provider === name)

/** Sends the provider's callback parameters to the server. Returns the user; undefined if an account was bound. */
async function submitArrival({ provider, query }: { provider: ArrivalProvider; query: URLSearchParams }) {
  return provider === 'telegram'
    ? submitTelegram(signedByTelegram(query))
    : submitCode(provider, Object.fromEntries(query))
}

/**
 * Returns whether the sign-in began in this browser. For Telegram, whose data does not prove this, checks and removes
 * the stored state. For other providers, returns true, because the server checks their callbacks.
 */
const startedHere = (provider: ArrivalProvider, query: URLSearchParams): boolean =>
  provider !== 'telegram' || takeTelegramState(query)

async function submitCode(
  provider: CodeProviderName,
  parameters: Record<string, string>,
): Promise<SessionUser | undefined> {
  const { message, data } = await finishSignIn(provider, parameters)
  if (message === 'bind') return undefined
  if (!data) throw new ApiError('unreadable')
  return data
}

async function submitTelegram(parameters: Record<string, string>): Promise<SessionUser | undefined> {
  if (!session.get().user) return loginByTelegram(parameters)
  await bindTelegram(parameters)
  return undefined
}
