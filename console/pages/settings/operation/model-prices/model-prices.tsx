import Radio from '@arco-design/web-react/es/Radio'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { inPlace } from '../../../../components/on-demand.tsx'
import { useFilters } from '../../../../components/paging.ts'
import { PageLoading } from '../../../../layout/page-loading.tsx'
import type { OptionField } from '../../options/area.ts'
import { OptionItem } from '../../options/option-item.tsx'
import type { AreaForm } from '../../options/use-area.ts'
import { OPERATION_AREAS } from '../areas.ts'
import type { PriceTexts } from './price-rows.ts'

const PriceTable = inPlace(async () => (await import('./price-table.tsx')).PriceTable)

const FIELDS = OPERATION_AREAS.find(({ name }) => name === 'ratio')?.fields ?? []
const IN_TABLE: readonly string[] = ['ModelPrice', 'ModelRatio', 'CompletionRatio'] satisfies (keyof PriceTexts)[]

/** Edits the prices of models, as JSON or in a table that changes the same JSON. */
export function ModelPrices({ form }: { form: AreaForm }) {
  const { t } = useTranslation()
  const { filters, setFilters } = useFilters({ view: 'json' })
  const textOf = (key: keyof PriceTexts) => form.text(fieldOf(key))
  const texts = {
    ModelPrice: textOf('ModelPrice'),
    ModelRatio: textOf('ModelRatio'),
    CompletionRatio: textOf('CompletionRatio'),
  }
  const inTable = filters.view === 'table'

  function change(next: PriceTexts) {
    for (const key of ['ModelPrice', 'ModelRatio', 'CompletionRatio'] as const) {
      if (next[key] !== texts[key]) form.change(fieldOf(key), next[key])
    }
  }

  return (
    <>
      <Radio.Group
        type="button"
        className="price-views"
        aria-label={t('operation.editor')}
        value={inTable ? 'table' : 'json'}
        onChange={(view: string) => setFilters({ view })}
        options={[
          { value: 'json', label: t('operation.json') },
          { value: 'table', label: t('operation.table') },
        ]}
      />
      {inTable && (
        <Suspense fallback={<PageLoading />}>
          <PriceTable texts={texts} onChange={change} onJson={() => setFilters({ view: 'json' })} />
        </Suspense>
      )}
      <div className="area-fields">
        {FIELDS.filter((field) => !(inTable && IN_TABLE.includes(field.key)) || form.problem(field)).map((field) => (
          <OptionItem key={field.key} field={field} form={form} />
        ))}
      </div>
    </>
  )
}

const fieldOf = (key: keyof PriceTexts): OptionField => ({ key, kind: 'json' })
