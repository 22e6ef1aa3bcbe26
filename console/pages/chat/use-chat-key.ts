import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { fullKeyOf, listFirstTokens, TOKEN_STATUS } from '../../api/tokens.ts'
import { FIRST_SCREEN } from '../../first-screen.ts'
import { useNavigate } from '../../router/hooks.ts'

const REDIRECT_AFTER_MS = 1500

/**
 * Returns the key of one of the user's enabled tokens; undefined until loaded. If there is no enabled token, the key is
 * `null`, and the page of tokens opens after 1.5 seconds.
 */
export function useChatKey(enabled: boolean) {
  const navigate = useNavigate()
  const tokens = useQuery({
    queryKey: ['token', 'chat'],
    queryFn: ({ signal }) => listFirstTokens(signal),
    enabled,
    // Loads the tokens once per visit, because another key would reload the frame.
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const token = tokens.data?.find(({ status }) => status === TOKEN_STATUS.enabled)
  const key = tokens.data && (token ? fullKeyOf(token) : null)

  useEffect(() => {
    if (key !== null) return
    const timer = setTimeout(() => void navigate(FIRST_SCREEN), REDIRECT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [key, navigate])

  return { key, error: tokens.error, retry: () => void tokens.refetch() }
}
