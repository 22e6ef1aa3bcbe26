// Must be first: without it Arco cannot render messages and dialogs on React 19.
import '@arco-design/web-react/es/_util/react-19-adapter'
import { QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client.ts'
import { STATUS_KEY } from './api/status.ts'
import { App } from './app.tsx'
import { nameArcosParts } from './arco-names.ts'
import { closeDialogs } from './close-dialogs.ts'
import { dropSecondClicks } from './components/second-click.ts'
import { returnFocus } from './focus-return.ts'
import { startLanguage } from './language.ts'
import { followOtherTabs, session } from './session.ts'
import { showTheme, theme } from './theme.ts'
// After Arco's styles, which these override.
import './styles.css'
import './arco-contrast.css'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Retry only unreachable servers: a rejected request stays rejected, and retries make rate limits worse.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.kind === 'unreachable',
      staleTime: 5_000,
      // A local gateway needs no network, so send requests even while the browser is offline.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
    mutations: { networkMode: 'always' },
  },
})

showTheme()
theme.subscribe(showTheme)
followOtherTabs()
dropSecondClicks()
// Never show one user's data to the next. A renamed user is still the same.
let shownTo = session.get().user?.id
session.subscribe(() => {
  const now = session.get().user?.id
  if (now === shownTo) return
  if (shownTo !== undefined) void closeDialogs()
  shownTo = now
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== STATUS_KEY })
})

// No top-level await: the texts may be in a chunk that imports this module.
void startLanguage().then(() => {
  nameArcosParts()
  returnFocus()
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <App queryClient={queryClient} />
    </StrictMode>,
  )
})
