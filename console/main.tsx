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
let currentUserId = session.get().user?.id
session.subscribe(() => {
  const now = session.get().user?.id
  if (now === currentUserId) return
  if (currentUserId !== undefined) void closeDialogs()
  currentUserId = now
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

/** Buttons that may appear in the place of a clicked button, and undo its action or repeat it on the next item. */
const BUTTONS = '.row-actions, .message-actions, .composer-buttons, .picture-remove, [role^="menuitem"]'
/** The backdrop of a newly opened dialog or drawer: a click there closes it. */
const MASKS = '.arco-modal-wrapper, .arco-drawer-mask'

/** Drops the second click of a double click if it would hit an element that has just appeared under the pointer. */
function dropSecondClicks(): void {
  const drop = (event: MouseEvent) => {
    const { target, detail } = event
    if (detail < 2 || !(target instanceof Element)) return
    if (target.closest(BUTTONS) || target.matches(MASKS)) event.stopPropagation()
  }
  document.addEventListener('click', drop, { capture: true })
}
