import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type CodeProviderName, startOidc, startSignIn } from '../../api/sign-in.ts'
import { STATUS_KEY, type Status } from '../../api/status.ts'
import { useOnce } from '../saving.ts'
import { showError } from '../show-error.ts'
import type { Ensure } from '../user-present.tsx'
import { inviteCode } from './invite-code.ts'

/**
 * Opens a provider's page in a new window. The provider redirects that window to `/oauth/<provider>`, which signs the
 * user in, or binds the account to the signed-in user. This window reads the result from the browser's storage. For
 * signed-in users, pass an `ensure` that can ask for the password.
 */
export function useAuthorize(ensure: Ensure = (run) => run()) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const openAction = useMutation({
    mutationFn: (provider: CodeProviderName) => ensure(() => openProvider(provider)),
    onError: (error) => showError(t, error),
  })
  return { ...openAction, mutate: useOnce(openAction.mutateAsync) }

  async function openProvider(provider: CodeProviderName) {
    // Open the window before any request, because browsers block windows that open later than the click.
    const providerWindow = window.open('', '_blank')
    try {
      const address = await addressOf(provider, queryClient.getQueryData<Status>([STATUS_KEY]))
      if (!providerWindow) return window.location.assign(address)
      providerWindow.opener = null
      providerWindow.location.href = address
    } catch (error) {
      providerWindow?.close()
      throw error
    }
  }
}

async function addressOf(provider: CodeProviderName, status: Status | undefined): Promise<string> {
  const aff = inviteCode()
  const invitation = aff === undefined ? {} : { aff }
  if (provider === 'oidc') return startOidc(invitation)
  const state = await startSignIn(invitation)
  const {
    github_authorize_url = '',
    github_client_id = '',
    linuxdo_authorize_url = '',
    linuxdo_client_id = '',
  } = status ?? {}
  return provider === 'github'
    ? withQuery(github_authorize_url, { client_id: github_client_id, state, scope: 'user:email' })
    : withQuery(linuxdo_authorize_url, { response_type: 'code', client_id: linuxdo_client_id, state })
}

const withQuery = (address: string, query: Record<string, string>): string => `${address}?${new URLSearchParams(query)}`
