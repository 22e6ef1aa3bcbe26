import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { IconPlus, IconSearch } from '@arco-design/web-react/icon'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePriceDetails } from '../../../../api/pricing.ts'
import { useQuotaPerUnit } from '../../../../api/status.ts'
import { DataTable } from '../../../../components/data-table/data-table.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { useFilters, usePaging } from '../../../../components/paging.ts'
import { useFilterText } from '../../../../components/typed-filter.ts'
import { useOptions } from '../../options/use-options.ts'
import { modelPriceColumns } from './price-columns.tsx'
import { PriceDrawer } from './price-drawer.tsx'
import { type PriceRow, type PriceTexts, priceRows, withoutRow, withRow } from './price-rows.ts'

interface Props {
  texts: PriceTexts
  onChange: (texts: PriceTexts) => void
  /** Switches to the JSON fields. A button for this appears if the texts cannot be shown as rows. */
  onJson: () => void
}

/** A table of model prices. The table changes the texts of the JSON fields, which the area's button saves. */
export function PriceTable({ texts, onChange, onJson }: Props) {
  const { t } = useTranslation()
  const paging = usePaging()
  const options = useOptions()
  const { filters, setFilters } = useFilters({ model: '' })
  const [searchText, setSearchText] = useFilterText(filters.model, (model) => setFilters({ model }, { replace: true }))
  const search = useDeferredValue(searchText).trim().toLowerCase()
  const [open, setOpen] = useState<PriceRow | 'new'>()
  const rows = useMemo(() => priceRows(texts), [texts])
  const priceContext = { billed: useBilledRatios(), quotaPerUnit: useQuotaPerUnit() }
  if (!rows) {
    return (
      <Alert
        type="error"
        className="price-alert"
        content={t('operation.brokenJson')}
        action={
          <Button size="small" onClick={onJson}>
            {t('operation.toJson')}
          </Button>
        }
      />
    )
  }

  const matches = rows.filter(({ name }) => name.toLowerCase().includes(search))
  const lastPage = Math.max(1, Math.ceil(matches.length / paging.pageSize))
  // A new search starts at its first page, also while the URL still has the page of the last search.
  const page = searchText === filters.model ? Math.min(paging.page, lastPage) : 1
  const pageRows = matches.slice((page - 1) * paging.pageSize, page * paging.pageSize)

  function put(next: PriceTexts) {
    onChange(next)
    Message.info(t('operation.changedUnsaved'))
  }

  const addButton = (
    <Button icon={<IconPlus />} onClick={() => setOpen('new')}>
      {t('operation.addModel')}
    </Button>
  )
  return (
    <>
      <DataTable
        title={t('option.area.ratio')}
        name="model-price"
        rowKey="name"
        columns={modelPriceColumns(t, {
          ...priceContext,
          onEdit: setOpen,
          onDelete: ({ name }) => put(withoutRow(texts, name)),
        })}
        listing={{
          data: { items: pageRows, total: matches.length },
          error: options.error,
          isFetching: options.isFetching,
          refetch: options.refetch,
        }}
        paging={{ ...paging, page }}
        allRows={async () => ({ rows: matches, cut: false })}
        toolbar={
          <>
            <Input
              className="price-search"
              prefix={<IconSearch />}
              value={searchText}
              onChange={setSearchText}
              onPressEnter={(event) => event.preventDefault()}
              placeholder={t('operation.searchModels')}
              aria-label={t('operation.searchModels')}
              allowClear
            />
            {addButton}
          </>
        }
        filtered={search !== ''}
        empty={<EmptyState title={t('operation.noModels')} hint={t('operation.noModelsHint')} action={addButton} />}
      />
      <PriceDrawer
        row={open}
        {...priceContext}
        usedNames={new Set(rows.map(({ name }) => name))}
        onClose={() => setOpen(undefined)}
        onSubmit={(row) => put(withRow(texts, row))}
      />
    </>
  )
}

/** Returns a function that gets the completion ratio that billing uses for a model now; undefined if there is none. */
function useBilledRatios(): (model: string) => number | undefined {
  const { data } = usePriceDetails()
  return (model) => data?.get(model)?.completion_ratio
}
