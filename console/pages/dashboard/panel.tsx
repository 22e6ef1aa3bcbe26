import Skeleton from '@arco-design/web-react/es/Skeleton'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'

interface Props<T> {
  title: string
  query: { data: T | undefined; isError: boolean }
  /** Content beside the title. */
  extra?: ReactNode
  children: (data: T) => ReactNode
}

/** A titled section with common loading and error states. If a refresh fails, the loaded data remains. */
export function Panel<T>({ title, query, extra, children }: Props<T>) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id}>{title}</h2>
        {extra}
      </div>
      {query.data !== undefined && children(query.data)}
      {query.data === undefined && query.isError && <p className="panel-empty">{t('dashboard.missing')}</p>}
      {query.data === undefined && !query.isError && <Skeleton animation text={{ rows: 5 }} />}
    </section>
  )
}
