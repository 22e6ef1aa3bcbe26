import type { ReactNode } from 'react'

/** One figure with its label. Must be inside a `dl`. */
export function LabeledFigure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
