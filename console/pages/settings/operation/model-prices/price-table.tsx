import Alert from '@arco-design/web-react/es/Alert'
import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Message from '@arco-design/web-react/es/Message'
import { IconPlus, IconSearch } from '@arco-design/web-react/icon'
import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../../../components/data-table/data-table.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { useFilters, usePaging } from '../../../../components/paging.ts'
import { useTypedFilter } from '../../../../components/typed-filter.ts'
import { useOptions } from '../../options/use-options.ts'
import { priceColumns } from './price-columns.tsx'
import { PriceDrawer } from './price-drawer.tsx'
import { type PriceRow, type PriceTexts, priceRows, withoutRow, withRow } from './price-rows.ts'
import { useBilledRatios } from './use-billed-ratios.ts'

interface Props {
  texts: PriceTexts
  onChange: (texts: PriceTexts) => void
  /** Switches to the JSON fields, if the text cannot be shown as rows. */
  onJson: () => void
}

/** Model prices as rows. Edits the same text as the JSON fields; both are saved together. */
export function PriceTable({ texts, onChange, onJson }: Props) {
  const { t } = useTranslation()
  const paging = usePaging({ usual: 10 })
  const options = useOptions()
  const { filters, setFilters } = useFilters({ model: '' })
  const [typed, setTyped] = useTypedFilter(filters.model, (model) => setFilters({ model }, { replace: true }))
  const search = useDeferredValue(typed).trim().toLowerCase()
  const [open, setOpen] = useState<PriceRow | 'new'>()
  const rows = useMemo(() => priceRows(texts), [texts])
  const billed = useBilledRatios()
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

  const found = rows.filter(({ name }) => name.toLowerCase().includes(search))
  const lastPage = Math.max(1, Math.ceil(found.length / paging.pageSize))
  // A new search starts at its first page, before the URL has changed.
  const page = typed === filters.model ? Math.min(paging.page, lastPage) : 1
  const shown = found.slice((page - 1) * paging.pageSize, page * paging.pageSize)

  function put(next: PriceTexts) {
    onChange(next)
    Message.info(t('operation.applied'))
  }

  const add = (
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
        columns={priceColumns(t, { billed, onEdit: setOpen, onDelete: ({ name }) => put(withoutRow(texts, name)) })}
        listing={{
          data: { items: shown, total: found.length },
          error: options.error,
          isFetching: options.isFetching,
          refetch: options.refetch,
        }}
        paging={{ ...paging, page }}
        allRows={async () => ({ rows: found, cut: false })}
        toolbar={
          <>
            <Input
              className="price-search"
              prefix={<IconSearch />}
              value={typed}
              onChange={setTyped}
              onPressEnter={(event) => event.preventDefault()}
              placeholder={t('operation.searchModels')}
              aria-label={t('operation.searchModels')}
              allowClear
            />
            {add}
          </>
        }
        empty={
          search !== '' ? (
            <EmptyState title={t('table.noMatch')} hint={t('table.noMatchHint')} />
          ) : (
            <EmptyState title={t('operation.noModels')} hint={t('operation.noModelsHint')} action={add} />
          )
        }
      />
      <PriceDrawer
        row={open}
        billed={billed}
        taken={new Set(rows.map(({ name }) => name))}
        onClose={() => setOpen(undefined)}
        onSubmit={(row) => put(withRow(texts, row))}
      />
    </>
  )
}
