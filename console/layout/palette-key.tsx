import Button from '@arco-design/web-react/es/Button'
import { IconSearch } from '@arco-design/web-react/icon'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onDemand } from '../components/on-demand.tsx'
import { useCompact } from './narrow.ts'

const CommandPalette = onDemand(async () => (await import('./command-palette.tsx')).default)

/** The button and the keyboard shortcut of the command palette. The palette's code loads when it first opens. */
export function PaletteKey() {
  const { t } = useTranslation()
  const compact = useCompact()
  const [open, setOpen] = useState(false)

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') setOpen(false) // the list of entries stops Escape before the dialog gets it
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
      {open && <CommandPalette onClose={() => setOpen(false)} />}
    </>
  )
}
