import { type ReactNode, useId } from 'react'

interface Props {
  title: string
  /** Content beside the title. */
  extra?: ReactNode
  children: ReactNode
}

/** A titled section. */
export function Panel({ title, extra, children }: Props) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {extra}
      </div>
      {children}
    </section>
  )
}
