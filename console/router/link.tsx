import { type ComponentProps, type MouseEvent, useEffect } from 'react'
import { useLocation, useNavigate, useRouter } from './hooks.ts'
import { pageLocationOf, pathOf } from './location.ts'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** An absolute path of the console. */
  to: string
}

export function Link({ to, onClick, ...anchor }: LinkProps) {
  const follow = useFollowLink(to)
  return (
    <a
      {...anchor}
      href={to}
      onClick={(event) => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    />
  )
}

/** A link that is marked while its page, or a page below its path, is open. */
export function NavLink({ to, ...link }: Omit<LinkProps, 'className' | 'aria-current'>) {
  const { pathname } = useLocation()
  const isOpen = pathname === to || (to !== '/' && pathname.startsWith(`${to}/`))
  return <Link {...link} to={to} {...(isOpen && { className: 'active', 'aria-current': 'page' })} />
}

/** Replaces the current page by the page at `to`. */
export function Navigate({ to }: { to: string }) {
  const navigate = useNavigate()
  useEffect(() => void navigate(to, { replace: true }), [navigate, to])
  return null
}

/** Returns a click handler that opens the path in this tab. Ignores clicks that open another tab or a download. */
export function useFollowLink(to: string): (event: MouseEvent<HTMLElement>) => void {
  const router = useRouter()
  return (event) => {
    const isModified = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey
    if (event.button !== 0 || isModified || event.currentTarget.getAttribute('target') === '_blank') return
    event.preventDefault()
    const isCurrentPage = pathOf(pageLocationOf(to)) === pathOf(router.get().location)
    void router.navigate(to, { replace: isCurrentPage })
  }
}
