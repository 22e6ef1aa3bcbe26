import Empty from '@arco-design/web-react/es/Empty'
import type { ReactNode } from 'react'
import './empty-state.css'

interface Props {
  title: string
  /** What to do next. */
  hint?: ReactNode
  /** A button that does it. */
  action?: ReactNode
}

/** Nothing is there: says so, and what to do about it. */
export function EmptyState({ title, hint, action }: Props) {
  return (
    <Empty
      description={
        <div className="empty-state">
          <strong>{title}</strong>
          {hint && <p>{hint}</p>}
          {action}
        </div>
      }
    />
  )
}
