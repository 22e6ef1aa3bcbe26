import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom'

type Target = { mode: 'new' } | { mode: 'edit'; id: number }

/** Which drawer is open, as the address says: over the list, whose own part of the address stays as it is. */
export function useDrawers() {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { id } = useParams()
  const [query] = useSearchParams()
  const editedTag = query.get('edit_tag') || undefined

  function go(path: string, tag?: string) {
    const next = new URLSearchParams(query)
    if (tag === undefined) next.delete('edit_tag')
    else next.set('edit_tag', tag)
    void navigate({ pathname: path, search: next.toString() })
  }

  return {
    target: targetOf(pathname, Number(id)),
    editedTag,
    add: () => go('/channel/add'),
    edit: (id: number) => go(`/channel/edit/${id}`),
    editTag: (tag: string) => go('/channel', tag),
    close: () => go('/channel'),
  }
}

function targetOf(pathname: string, id: number): Target | undefined {
  if (pathname.endsWith('/add')) return { mode: 'new' }
  return Number.isInteger(id) && id > 0 ? { mode: 'edit', id } : undefined
}
