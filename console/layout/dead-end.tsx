import type { ReactNode } from 'react'
import { useTitle } from '../components/title.ts'

interface Props {
  /** As HTTP numbers it. */
  code: number
  title: string
  hint: string
  /** A link to go on by. */
  children: ReactNode
}

/** Stands in the place of a page that is not there, or not for this person. */
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
