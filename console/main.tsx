// First of all: without it Arco cannot render messages and dialogs on React 19.
import '@arco-design/web-react/es/_util/react-19-adapter'
import './styles.css'
import { QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client.ts'
import { STATUS_KEY } from './api/status.ts'
import { App } from './app.tsx'
import { startLanguage } from './language.ts'
import { followOtherTabs, session } from './session.ts'
import { showTheme, theme } from './theme.ts'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Only what may be better in a second is asked again; a refusal stays one, and a rate limit must not be fed.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.kind === 'unreachable',
      staleTime: 5_000,
    },
  },
})

showTheme()
theme.subscribe(showTheme)
followOtherTabs()
// What one user was shown must never be there for the next.
session.subscribe(() => queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== STATUS_KEY }))

await startLanguage()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} />
  </StrictMode>,
)
