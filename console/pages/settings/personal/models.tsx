import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../../api/failure.ts'
import { listUsableModels } from '../../../api/models.ts'
import { useCopy } from '../../../components/copy.tsx'

const COLLAPSED_COUNT = 10

/** The models that the user may call. A click copies a name. */
export function UsableModels() {
  const { t } = useTranslation()
  const copy = useCopy()
  const models = useQuery({ queryKey: ['model', 'usable'], queryFn: ({ signal }) => listUsableModels(signal) })
  const [open, setOpen] = useState(false)
  const names = models.data ?? []
  const hiddenCount = names.length - COLLAPSED_COUNT
  return (
    <section className="panel" aria-labelledby="usable-models">
      <h2 id="usable-models">{t('personal.models')}</h2>
      {models.isPending && <Skeleton animation text={{ rows: 3 }} />}
      {models.isError && (
        <p className="panel-note" role="alert">
          {failureText(t, models.error)}{' '}
          <Button size="mini" onClick={() => void models.refetch()}>
            {t('page.retry')}
          </Button>
        </p>
      )}
      {models.isSuccess && names.length === 0 && <p className="panel-note">{t('personal.noModels')}</p>}
      <ul className="usable-models">
        {(open ? names : names.slice(0, COLLAPSED_COUNT)).map((name) => (
          <li key={name}>
            <Button size="small" title={t('personal.copyModel')} onClick={() => void copy(name)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
      {hiddenCount > 0 && (
        <Button type="text" size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('personal.fewerModels') : t('personal.moreModels', { number: hiddenCount })}
        </Button>
      )}
    </section>
  )
}
