import type { ReactNode } from 'react'
import './page.css'
import { useTitle } from './title.ts'

interface Props {
  title: string
  /** What stands beside the title: buttons, or a figure. */
  extra?: ReactNode
  children?: ReactNode
}

/** The frame of a screen: its heading, and the name of the browser's tab. */
export function Page({ title, extra, children }: Props) {
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
