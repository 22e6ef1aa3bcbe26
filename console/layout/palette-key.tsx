import Button from '@arco-design/web-react/es/Button'
import { IconSearch } from '@arco-design/web-react/icon'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onDemand } from '../components/on-demand.tsx'
import { useCompact } from './narrow.ts'

const CommandPalette = onDemand(async () => (await import('./command-palette.tsx')).default)

/** The palette's button and its keys. The palette itself is loaded when it is wanted for the first time. */
export function PaletteKey() {
  const { t } = useTranslation()
  const compact = useCompact()
  const [open, setOpen] = useState(false)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') setOpen(false) // the list of options keeps it from the dialog
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])

  return (
    <>
      <Button
        className={compact ? 'tool' : 'palette-button'}
        type={compact ? 'text' : 'secondary'}
        icon={<IconSearch />}
        aria-label={t('layout.search')}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        {!compact && (
          <span>
            {t('action.search')} <kbd>Ctrl K</kbd>
          </span>
        )}
      </Button>
      {open && (
        <Suspense>
          <CommandPalette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
