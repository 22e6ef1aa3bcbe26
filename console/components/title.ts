import { useEffect } from 'react'
import { useStatus } from '../api/status.ts'

/** Sets the title of the browser tab: the page's title and the platform's name, unless the title contains the name. */
export function useTitle(page: string): void {
  const { data: status } = useStatus()
  const name = status?.system_name || 'Tollgate'
  useEffect(() => {
    document.title = page.includes(name) ? page : `${page} · ${name}`
  }, [page, name])
}
