// First of all: without it Arco cannot render messages and dialogs on React 19.
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
// After the styles of Arco, which they change.
import './styles.css'
import './arco-contrast.css'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Only what may be better in a second is asked again; a refusal stays one, and a rate limit must not be fed.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.kind === 'unreachable',
      staleTime: 5_000,
      // A gateway may be on this very machine, where no network is needed: whether it answers is found out by asking.
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
// What one user was shown must never be there for the next. A user with another name is still the same.
let shownTo = session.get().user?.id
session.subscribe(() => {
  const now = session.get().user?.id
  if (now === shownTo) return
  if (shownTo !== undefined) void closeDialogs()
  shownTo = now
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== STATUS_KEY })
})

// Not awaited at the top: the texts may be in a file that needs this one to have run.
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
