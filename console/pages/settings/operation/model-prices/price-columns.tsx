import Button from '@arco-design/web-react/es/Button'
import { IconDelete, IconEdit } from '@arco-design/web-react/icon'
import type { TFunction } from 'i18next'
import type { TableColumn } from '../../../../components/data-table/column.ts'
import { type PriceRow, pricesPerMillion } from './price-rows.ts'

interface PriceHandlers {
  onEdit: (row: PriceRow) => void
  onDelete: (row: PriceRow) => void
  /** Returns the completion ratio that billing uses if the model has no ratio of its own; undefined if unknown. */
  billed: (name: string) => number | undefined
  /** Quota for one dollar. */
  quotaPerUnit: number
}

export function modelPriceColumns(
  t: TFunction,
  { onEdit, onDelete, billed, quotaPerUnit }: PriceHandlers,
): TableColumn<PriceRow>[] {
  return [
    { key: 'name', fixed: 'left', title: t('pricing.model'), value: ({ name }) => name },
    {
      key: 'price',
      title: t('operation.fixedPrice'),
      align: 'right',
      render: ({ price }) => (price === undefined ? '–' : <span className="number">${price}</span>),
      value: ({ price }) => price ?? '',
    },
    // If a model has a fixed price, billing does not use its ratios.
    {
      key: 'ratio',
      title: t('log.row.modelRatio'),
      align: 'right',
      render: ({ price, ratio }) => (price === undefined ? (ratio ?? '–') : '–'),
      value: ({ ratio }) => ratio ?? '',
    },
    {
      key: 'completionRatio',
      title: t('log.row.completionRatio'),
      align: 'right',
      render: ({ name, price, completionRatio }) => {
        if (price !== undefined) return '–'
        return completionRatio ?? <span title={t('operation.defaultRatio')}>({billed(name) ?? '–'})</span>
      },
      value: ({ completionRatio }) => completionRatio ?? '',
    },
    {
      key: 'prices',
      width: 190,
      title: t('operation.prices'),
      wideOnly: true,
      align: 'right',
      render: ({ name, price, ratio, completionRatio = billed(name) }) =>
        price !== undefined || ratio === undefined
          ? '–'
          : t('operation.bothPrices', pricesPerMillion({ ratio, completionRatio, quotaPerUnit })),
    },
    {
      key: 'actions',
      title: t('action.actions'),
      fixedPlace: true,
      fixed: 'right',
      width: 170,
      render: (row) => (
        <div className="row-actions">
          <Button
            size="mini"
            type="text"
            icon={<IconEdit />}
            aria-label={t('operation.editModel', { name: row.name })}
            onClick={() => onEdit(row)}
          >
            {t('action.edit')}
          </Button>
          <Button
            size="mini"
            type="text"
            status="danger"
            icon={<IconDelete />}
            aria-label={t('operation.deleteModel', { name: row.name })}
            onClick={() => onDelete(row)}
          >
            {t('action.delete')}
          </Button>
        </div>
      ),
    },
  ]
}
