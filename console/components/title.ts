import { useEffect } from 'react'
import { useStatus } from '../api/status.ts'

/** Sets the tab title from the page and the platform. */
export function useTitle(page: string): void {
  const { data: status } = useStatus()
  const name = status?.system_name || 'Tollgate'
  useEffect(() => {
    document.title = `${page} · ${name}`
  }, [page, name])
}
