import type { ReactNode } from 'react'
import { useTitle } from '../components/title.ts'

interface Props {
  /** The HTTP status code to show. */
  code: number
  title: string
  hint: string
  /** A link to another page. */
  children: ReactNode
}

/** Replaces a page that does not exist or that the user may not open. */
export function DeadEnd({ code, title, hint, children }: Props) {
  useTitle(title)
  return (
    <div className="page-centre">
      <span className="page-code" aria-hidden="true">
        {code}
      </span>
      <h1>{title}</h1>
      <p>{hint}</p>
      {children}
    </div>
  )
}
