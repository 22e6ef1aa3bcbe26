import type { ReactNode } from 'react'

/** A figure with its label, in a `dl`. */
export function LabeledFigure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
