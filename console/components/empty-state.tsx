import Empty from '@arco-design/web-react/es/Empty'
import type { ReactNode } from 'react'
import './empty-state.css'

interface Props {
  title: string
  /** The next step for the user. */
  hint?: ReactNode
  /** A button for the next step. */
  action?: ReactNode
}

/** Replaces an empty list, and shows the next step. */
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
