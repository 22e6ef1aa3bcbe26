import Button, { type ButtonProps } from '@arco-design/web-react/es/Button'
import type { MouseEvent } from 'react'
import { useHref, useLinkClickHandler } from 'react-router-dom'

/** A link to a console page that looks like a button; it can be opened in a new tab. */
export function LinkButton({ to, ...buttonProps }: Omit<ButtonProps, 'href' | 'onClick'> & { to: string }) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to)
  return (
    <Button
      {...buttonProps}
      href={href}
      onClick={(event) => follow(event as unknown as MouseEvent<HTMLAnchorElement>)}
    />
  )
}
