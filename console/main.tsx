// Keep this import first. Without it, Arco cannot render messages and dialogs on React 19.
import '@arco-design/web-react/es/_util/react-19-adapter'
import { QueryClient } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client.ts'
import { STATUS_KEY } from './api/status.ts'
import { App } from './app.tsx'
import { addMissingNames } from './arco-names.ts'
import { closeDialogs } from './close-dialogs.ts'
import { returnFocus } from './focus-return.ts'
import { startLanguage } from './language.ts'
import { followOtherTabs, session } from './session.ts'
import { showTheme, theme } from './theme.ts'
// These style sheets override Arco's, so they must come later.
import './styles.css'
import './arco-contrast.css'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Retry only if the server is unreachable. A rejected request would be rejected again, and retries also count for
      // rate limits.
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
// After a change of the user, remove the previous user's data. Users are compared by id, because they can be renamed.
let currentUserId = session.get().user?.id
session.subscribe(() => {
  const now = session.get().user?.id
  if (now === currentUserId) return
  if (currentUserId !== undefined) void closeDialogs()
  currentUserId = now
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== STATUS_KEY })
})

// Do not use a top-level await. The texts may be in a chunk that imports this module, so the await might never end.
void startLanguage().then(() => {
  addMissingNames()
  returnFocus()
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <App queryClient={queryClient} />
    </StrictMode>,
  )
})

/**
 * Buttons that may appear where the user just clicked. A second click there would undo the action, or repeat the action
 * on the next item.
 */
const BUTTONS = '.row-actions, .message-actions, .composer-buttons, .picture-remove, [role^="menuitem"]'
/** The backdrops of dialogs and drawers. A click on the backdrop closes the dialog or drawer. */
const MASKS = '.arco-modal-wrapper, .arco-drawer-mask'

/** Ignores the second click of a double click on elements that may just have appeared under the pointer. */
function dropSecondClicks(): void {
  const drop = (event: MouseEvent) => {
    const { target, detail } = event
    if (detail < 2 || !(target instanceof Element)) return
    if (target.closest(BUTTONS) || target.matches(MASKS)) event.stopPropagation()
  }
  document.addEventListener('click', drop, { capture: true })
}
