import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Status, useStatus } from '../../api/status.ts'
import { fullKeyOf, listFirstTokens, TOKEN_STATUS } from '../../api/tokens.ts'
import { type ChatLink, chatAddress } from '../../chat-links.ts'
import { useBaseAddress } from '../../components/base-address.ts'
import { FIRST_SCREEN } from '../../first-screen.ts'
import { useNavigate } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import type { ChatProblem } from './problem.tsx'

const REDIRECT_AFTER_MS = 1500

/**
 * Loads the chat application at the index `place` of the links, and a key for it. `url` is the application's URL with
 * the key. `problem` is the reason why there is no URL. While loading, both are undefined.
 */
export function useChatApplication(linksOf: (status: Status) => ChatLink[] | undefined, place = 0) {
  const { user } = useStore(session)
  const { data: status, error, refetch } = useStatus()
  const links = status && linksOf(status)
  const link = links?.[place]
  const { key, error: keyError, retry } = useChatKey(user !== undefined && link !== undefined)
  const address = useBaseAddress()
  const url = link && typeof key === 'string' ? chatAddress(link.template, { address, key }) : undefined
  return {
    links,
    link,
    url,
    problem: findProblem(),
    retry() {
      void refetch()
      retry()
    },
  }

  function findProblem(): ChatProblem | undefined {
    if (!user) return 'signedOut'
    if (!status) return error ? { error } : undefined
    if (!links) return 'unreadable'
    if (!link) return 'none'
    if (keyError) return { error: keyError }
    if (key === null) return 'noToken'
    return key !== undefined && url === undefined ? 'broken' : undefined
  }
}

/**
 * Returns the key of one of the user's enabled tokens; undefined until loaded. If there is no enabled token, the key is
 * `null`, and the page of tokens opens after 1.5 seconds.
 */
function useChatKey(enabled: boolean) {
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
