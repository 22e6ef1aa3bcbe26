import Button, { type ButtonProps } from '@arco-design/web-react/es/Button'
import type { MouseEvent } from 'react'
import { useFollowLink } from '../router/link.tsx'

/** A link to a console page that looks like a button. The user can open it in a new tab. */
export function LinkButton({ to, ...buttonProps }: Omit<ButtonProps, 'href' | 'onClick'> & { to: string }) {
  const follow = useFollowLink(to)
  return <Button {...buttonProps} href={to} onClick={(event) => follow(event as unknown as MouseEvent<HTMLElement>)} />
}
