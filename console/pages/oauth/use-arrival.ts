import Message from '@arco-design/web-react/es/Message'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../components/saving.ts'
import { useEnter } from '../../components/sign-in/enter.ts'
import { useNavigate, useSearchParams } from '../../router/hooks.ts'
import { type ArrivalProvider, startedHere, submitArrival } from './arrival.ts'

const REDIRECT_MS = 2_000
const SETTINGS = '/setting'

/** The last submitted callback. A code is valid once, but the page remounts after a sign-in and must not send the code again. */
let submitted: string | undefined

/**
 * Signs in or binds an account with the provider's parameters in the URL, then redirects. `failed` is true after an error.
 * `isUnknown` is true if the sign-in began in another browser: the callback may belong to another person, so it is not sent
 * to the server.
 */
export function useProviderArrival(provider: ArrivalProvider): { failed: boolean; isUnknown: boolean } {
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
