import { useMemo } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from '../../router/hooks.ts'
import { withParameters } from '../../router/location.ts'
import type { ChannelTarget } from './drawer/use-channel-form.ts'

/** Stores in the URL which drawer is open. Does not change the parameters of the list. */
export function useDrawers() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { id } = useParams()
  const [query] = useSearchParams()
  const editedTag = query.get('edit_tag') || undefined

  function go(path: string, tag?: string) {
    void navigate(`${path}?${withParameters(query, { edit_tag: tag })}`)
  }

  const target = useMemo(() => targetOf(pathname, Number(id)), [pathname, id])
  return {
    target,
    editedTag,
    add: () => go('/channel/add'),
    edit: (id: number) => go(`/channel/edit/${id}`),
    editTag: (tag: string) => go('/channel', tag),
    close: () => go('/channel'),
  }
}

function targetOf(pathname: string, id: number): ChannelTarget | undefined {
  if (pathname.endsWith('/add')) return { mode: 'new' }
  return Number.isInteger(id) && id > 0 ? { mode: 'edit', id } : undefined
}
