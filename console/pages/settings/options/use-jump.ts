import { useEffect } from 'react'
import { useSearchParams } from '../../../router/hooks.ts'

const HIGHLIGHT_MS = 3_000

/** When the page is ready, scrolls to the option in the URL (`&option=RetryTimes`), highlights it briefly and focuses it. */
export function useJump(ready: boolean): void {
  const [query, setQuery] = useSearchParams()
  const key = query.get('option')
  useEffect(() => {
    if (!ready || key === null) return
    const element = document.getElementById(`option-${key}`)
    setQuery(
      (query) => {
        const next = new URLSearchParams(query)
        next.delete('option')
        return next
      },
      { replace: true },
    )
    if (!element) return
    element.scrollIntoView({ block: 'center' })
    element.classList.add('option-jumped')
    element
      .querySelector<HTMLElement>('input, textarea, [role="switch"], [tabindex="0"]')
      ?.focus({ preventScroll: true })
    setTimeout(() => element.classList.remove('option-jumped'), HIGHLIGHT_MS)
  }, [ready, key, setQuery])
}
