import type { ReactNode } from 'react'
import './page.css'
import { useTitle } from './title.ts'

interface Props {
  title: string
  /** Content beside the title: buttons or a number. */
  extra?: ReactNode
  children?: ReactNode
}

/** The frame of a screen, with its heading. Also sets the title of the browser tab. */
export function PageFrame({ title, extra, children }: Props) {
  useTitle(title)
  return (
    <div className="page">
      <div className="page-head">
        <h1>{title}</h1>
        {extra && <div className="page-extra">{extra}</div>}
      </div>
      {children}
    </div>
  )
}
