import type { ReactNode } from 'react'
import { useTitle } from '../title.ts'
import './account-card.css'

/** The frame of the sign-in and registration pages: a centered card. */
export function AccountCard({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <div className="account">
      <div className="account-card">
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  )
}
